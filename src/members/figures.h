/*
 * figures.h - what was read of a process last, and stands in the sums of its tree: amounts, levels, and its PSS as it
 * is carried between two readings.
 */
#ifndef RT_FIGURES_H
#define RT_FIGURES_H

#include <sys/types.h>

#include "../core/base.h"

/* Amounts.  What a process's own figures become when it ends differs, in four groups. */
enum counter {
	/* Waited children are counted apart by the kernel: cutime, cstime, cminflt, cmajflt. */
	CPU_NS, USER_NS, SYSTEM_NS, MINOR_FAULTS, MAJOR_FAULTS,
	/* Waited children are added to the parent's own figure (wait_task_zombie in kernel/exit.c). */
	READ_CHARS, WRITE_CHARS, READ_CALLS, WRITE_CALLS, READ_BYTES, WRITE_BYTES,
	/* The kernel adds them up for who waits with wait4; we hand them on to the parent until then. */
	VOLUNTARY, INVOLUNTARY,
	/* Nobody tells them once more, so a gain goes to the sum of the root at once and stays there. */
	RUN_DELAY_NS, WATCHED_CPU_NS, BLOCK_DELAY_NS,
	COUNTERS,
	APART = READ_CHARS, HANDED_ON = VOLUNTARY, KEPT = RUN_DELAY_NS,        /* where the groups end and begin */
};

/* Levels, summed over members.  HAS_x counts the members of which x is known. */
enum level {
	ALIVE, THREADS, RUNNING, SLEEPING, DISK_SLEEP, STOPPED, ZOMBIE,
	RSS, VIRTUAL, SHARED, PSS, USS, SWAP, FDS,
	PSS_MOST, PSS_MOVED, PSS_FILE,          /* what bounds of PSS are made of: see struct rollup */
	PSS_SMALL, PSS_FAULTS,
	HAS_MEMORY, HAS_IO, HAS_PSS, HAS_SWAP, HAS_FDS, HAS_DELAY, HAS_SWITCHES, UNREADABLE,
	LEVELS,
};

/*
 * A reading of smaps_rollup, and what the process was then; before the first, what it was when it was
 * found.  Since then its pages can have moved by `moved` at most: each fault by a huge page, and what
 * came or went without a fault shows in RSS.  So between readings
 *   PSS_MOVED = moved,  PSS_MOST = min(RSS, most + moved),  PSS_FILE = file - moved,
 * where most is an upper bound of its PSS: the PSS that was read; its RSS if none was; nothing for one that was forked
 * by a member since that was read, for a fork does not change what a family has in all.
 * PSS_SMALL is the same with each fault as a small page, and PSS_FAULTS counts them, for some may have been huge.
 */
struct rollup {
	int64_t  read_ns;                       /* when; of the finding before the first reading */
	int64_t  pss, rss, uss;                 /* the value to be carried, RSS, and what it shares with nobody */
	int64_t  shared;                        /* its part of RSS that is files and shared memory */
	int64_t  anew;                          /* so much of its parent's files it had not mapped when it was found */
	int64_t  most;                          /* PSS at most */
	int64_t  vouched;                       /* PSS of private memory, less that memory: not above 0 */
	int64_t  file_pss;                      /* PSS of files and shared memory: lower bound */
	uint64_t faults;                        /* page faults at the visit before it: the bounds count from there */
	uint64_t faults_after;                  /* and when it was over: the value is carried from there */
	uint64_t parted, mapped;                /* the tree's, after the pass of this reading */
	uint32_t epoch;                         /* its family's; 0: none */
	float    factor;                        /* of pss_budget.h; 0: PSS was not read so far */
};

/* What was read of a process last, and stands in the sums. */
struct figures {
	uint64_t own[KEPT];
	int64_t  rss, virtual, shared, swap;    /* bytes */
	int64_t  inherited_pages;               /* of private memory that it had when it was forked */
	struct rollup rollup;
	uint32_t threads, fds;                  /* threads: 0 of a zombie */
	pid_t    speaker;                       /* the thread that tells of memory and descriptors; 0: the main one */
	char     state;                         /* R S D T t Z I; '\0': not read so far */
	/* has_memory: rss, virtual and shared are known: neither given back at its end nor borrowed. */
	bool     has_memory : 1, has_io : 1, has_pss : 1, has_swap : 1, has_fds : 1;
	bool     has_delay : 1, has_switches : 1, unreadable : 1;
	bool     shares : 1;                    /* its family has other members: it may write to what it shares */
};

static inline bool rollup_taken(const struct rollup *r)
{
	return r->factor > 0;
}

static inline int64_t figures_faults(const struct figures *f)
{
	return (int64_t)(f->own[MINOR_FAULTS] + f->own[MAJOR_FAULTS]);
}

/* Private memory: of one process at least, until it is shared by fork. */
static inline int64_t figures_private(const struct figures *f)
{
	return f->rss - f->shared;
}

#endif
