/*
 * figures.h - the last reading of a process, as counted in the sums of its tree: amounts, levels, and the PSS that is
 * carried between two readings.
 */
#ifndef RT_FIGURES_H
#define RT_FIGURES_H

#include <sys/types.h>

#include "../core/base.h"

/* Amounts, in four groups by what becomes of them when the process exits. */
enum counter {
	/* The kernel counts waited children apart: cutime, cstime, cminflt, cmajflt. */
	CPU_NS, USER_NS, SYSTEM_NS, MINOR_FAULTS, MAJOR_FAULTS,
	/* The kernel adds waited children to the parent's own figure (wait_task_zombie in kernel/exit.c). */
	READ_CHARS, WRITE_CHARS, READ_CALLS, WRITE_CALLS, READ_BYTES, WRITE_BYTES,
	/* The kernel returns their sum to a parent that calls wait4.  Until then we add them to the parent. */
	VOLUNTARY, INVOLUNTARY,
	/* No other process inherits them, so a gain goes to the sum of the root at once and stays there. */
	RUN_DELAY_NS, WATCHED_CPU_NS, BLOCK_DELAY_NS,
	COUNTERS,
	APART = READ_CHARS, HANDED_ON = VOLUNTARY, KEPT = RUN_DELAY_NS, /* where the groups end and begin */
};

/* Levels, summed over members: memory in bytes, the rest counts.  HAS_x counts the members with a known x. */
enum level {
	ALIVE, THREADS, RUNNING, SLEEPING, DISK_SLEEP, STOPPED, ZOMBIE,
	RSS, VIRTUAL, SHARED, PSS, USS, SWAP, FDS,
	PSS_MOST, PSS_MOVED, PSS_FILE,          /* parts of the bounds of PSS: see struct rollup */
	PSS_SMALL, PSS_FAULTS,
	HAS_MEMORY, HAS_IO, HAS_PSS, HAS_SWAP, HAS_FDS, HAS_DELAY, HAS_SWITCHES, UNREADABLE,
	LEVELS,
};

/*
 * A reading of smaps_rollup, with the state of the process then; before the first reading, its state when it was found.
 * Since then at most `moved` bytes of its pages can have moved: a huge page for each fault, and the change of RSS for
 * pages that came or went without a fault.  So between readings
 *   PSS_MOVED = moved,  PSS_MOST = min(RSS, most + moved),  PSS_FILE = file - moved,
 * where most is an upper bound of its PSS: the PSS of the reading; its RSS without a reading; 0 if a member forked it
 * after that member was read, because a fork does not change the total of a fork group.
 * PSS_SMALL is the same with each fault as a small page.  PSS_FAULTS counts the faults, as some may have been huge.
 */
struct rollup {
	int64_t  read_ns;                       /* time of the reading, or when it was found */
	int64_t  pss, rss, uss;                 /* the carried value, RSS, and the unshared part */
	int64_t  shared;                        /* files and shared memory in RSS */
	int64_t  anew;                          /* files of its parent that it had not mapped yet when it was found */
	int64_t  most;                          /* PSS, upper bound */
	int64_t  vouched;                       /* PSS of private memory, less that memory: not above 0 */
	int64_t  file_pss;                      /* PSS of files and shared memory, lower bound */
	uint64_t faults;                        /* page faults at the visit before it: the bounds count from there */
	uint64_t faults_after;                  /* and after the reading: the value is carried from there */
	uint64_t parted, mapped;                /* of the tree, after the pass of this reading */
	uint32_t epoch;                         /* of its fork group; 0: none */
	float    factor;                        /* of pss_budget.h; 0: PSS was not read yet */
};

/* The last reading of a process, as counted in the sums. */
struct figures {
	uint64_t own[KEPT];
	int64_t  rss, virtual, shared, swap;    /* bytes */
	int64_t  inherited_pages;               /* private pages that fork copied from its parent */
	struct rollup rollup;
	uint32_t threads, fds;                  /* threads: 0 for a zombie */
	pid_t    speaker;                       /* the thread to read memory and descriptors from; 0: the main one */
	char     state;                         /* R S D T t Z I; '\0': not read yet */
	/* has_memory: rss, virtual and shared are known: neither released at exit nor those of a shared mm. */
	bool     has_memory : 1, has_io : 1, has_pss : 1, has_swap : 1, has_fds : 1;
	bool     has_delay : 1, has_switches : 1, unreadable : 1;
	bool     shares : 1;                    /* its fork group has other members: it may write to shared pages */
};

static inline bool rollup_taken(const struct rollup *r)
{
	return r->factor > 0;
}

static inline int64_t figures_faults(const struct figures *f)
{
	return (int64_t)(f->own[MINOR_FAULTS] + f->own[MAJOR_FAULTS]);
}

/* Private memory.  Until fork shares it, it belongs to one process. */
static inline int64_t figures_private(const struct figures *f)
{
	return f->rss - f->shared;
}

#endif
