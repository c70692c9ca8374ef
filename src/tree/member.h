/*
 * member.h - a process of the tree: what is kept of it, and what of that is counted in the sums.
 *
 * A tree of a thousand processes should take less memory than the program itself, and looking at those that sleep
 * should cost a look at their CPU clocks and nothing else.  So things lie together that are needed together:
 *
 *     struct glance     16 bytes    all that is looked at of a member that did not run; one array, read in one sweep
 *     struct member    424 bytes    what is needed once it ran; 448 where the kernel counts waits for disks
 *     struct waited    128 bytes    what children left it: few wait for children that used something
 *
 * and no level is kept that can be computed from what was read (figures_levels).
 */
#ifndef RT_MEMBER_H
#define RT_MEMBER_H

#include <sys/types.h>

#include "../core/base.h"
#include "../sockets/sockets.h"
#include "blocks.h"

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

/* What children that it waited for left a member, and how much of that is explained. */
struct waited {
	uint64_t figures[APART];                /* as counted in the sums */
	/* By children of ours that are gone, or as there at the first reading of the pass before this one. */
	uint64_t explained[APART];
	uint64_t first[APART];                  /* at the first reading of the last pass that read it */
	uint32_t nested;                        /* settle: members that are gone and are in it */
};

enum member_file { FILE_STAT, FILE_STATM, FILE_IO, FILE_CHILDREN, MEMBER_FILES };
enum { THREAD_SUMS = BLOCK_DELAY_NS - HANDED_ON, NAME_SIZE = 16 };

/*
 * Processes that may share private memory: fork has made one out of the other and no exec came between.
 * Their stacks begin at the same random place; exec moves it.
 */
struct family {
	uint64_t stack;
	size_t   members;
	int64_t  largest;                       /* private memory of its largest member: no sharing makes it less */
	int64_t  credit;                        /* sum of what the members' own readings vouch for */
	uint32_t epoch;                         /* of the readings that vouch for something: +1 at each fork */
	bool     outside;                       /* processes outside the tree may share it too */
	bool     stale;                         /* its largest shrank or left */
	uint32_t read_pass, judged_pass;        /* when PSS of its members was read; when that was considered */
	uint32_t grew_pass;                     /* when it was not read because it was being forked */
	uint32_t whole_files_pass;              /* the reading since which its files count in full */
	int64_t  read_ns;                       /* the end of the last of these readings */
	struct family *chain;
};

struct member {
	struct member *chain;                   /* next of the same bucket */
	uint64_t start_ticks;
	pid_t    pid, parent;                   /* the parent as last known */
	uint32_t at;                            /* place in the order of members; its glance is there */
	uint32_t pass;                          /* the pass in which it was last read */
	uint32_t reads;                         /* how often its files were read */
	uint16_t root, program;                 /* indices */

	bool     exited : 1;                    /* the kernel told its end */
	bool     unwatched : 1;                 /* the kernel tells nothing of it: walked */
	bool     gone : 1;                      /* vanished, or reaped: waits for settle */
	bool     reaped : 1;                    /* by us: its figures are exact */
	bool     slow_due : 1, pss_due : 1;     /* ran since its dear files were last read */
	bool     ran : 1;                       /* since PSS was last read or it was found */
	bool     in_dear : 1;                   /* stands in members.dear */
	bool     again : 1;                     /* settle wants it read once more */
	bool     news : 1;                      /* settle: it ended or waited for a child in this pass */
	bool     folded : 1;                    /* settle: its figures are in an ancestor's, which is gone too */
	bool     told : 1;                      /* its end was told */
	bool     found_ended : 1;               /* first seen as a zombie: its CPU time is told by perf, if at all */
	bool     fresh : 1;                     /* found after the baseline, or ours: all it ever used counts */
	bool     denied_io : 1, denied_pss : 1; /* its files may not be read */
	bool     borrows : 1;                   /* runs in its parent's memory, which is counted there */
	bool     renewed : 1;                   /* exec'd after it was first seen as a program of its own */
	bool     lost_child : 1;                /* a child of it ended that no reading met */
	bool     threads_seen : 1;              /* thread_sum is known ... */
	unsigned sample_shift : 5;              /* ... of one in 2^sample_shift threads, and the main one */
	struct socket_mark socket_mark;         /* its sockets' (sockets/socket_tree.h) */

	int16_t  fd[MEMBER_FILES];              /* kept open; -1: not */
	char     comm[NAME_SIZE];
	uint32_t account;                       /* settle's, plus 1; 0: none */
	uint32_t remainder_ns;                  /* waited children's CPU that cutime rounded away: two ticks at most */
	uint32_t credit_epoch;                  /* of its family, when credit was counted */
	struct waited *waited;                  /* NULL: no child that it waited for has used anything */

	int64_t  slow_first_ns, slow_ns;        /* when its dear files were first and last read; 0: never */
	int64_t  slow_rss;                      /* its RSS at the last reading */
	uint64_t slow_cpu_ns;                   /* its CPU time then */
	uint64_t thread_sum[THREAD_SUMS];       /* last sums over threads, for gains: counters from HANDED_ON on */
	uint64_t counted_ns;                    /* CPU time that stands with a program */
	int64_t  peak_rss;                      /* of this program: exec begins anew */
	uint32_t peak_faults;                   /* when status was last asked for it; low bits */
	uint32_t table_pages;                   /* page tables, as last seen in status */

	struct family *family;                  /* NULL: unknown, or it has no memory */
	uint32_t found_pass;                    /* when it, or its exec, was found */
	/* Its RSS and page faults at the last visit of an earlier pass, if nobody shared its memory then; else 0. */
	int64_t  alone_rss;
	uint64_t alone_faults;
	int64_t  lent;                          /* RSS of its children as they were found, which its own bounds hold */
	int64_t  credit;                        /* as counted in its family */

	struct figures figures;                 /* as counted in the sums */

	/* Waits for disks.  Where the kernel does not count them, a member ends before (members_open). */
	struct {
		uint64_t first_ns;              /* the first thread's, as last read ... */
		int64_t  first_seen_ns;         /* ... and when; 0: never */
		uint64_t others_ns;             /* the last sum over the other threads */
	} block;
};

struct glance {
	pid_t    pid;
	uint32_t full_due : 31;                 /* CLOCK_MONOTONIC in seconds: read then, even if it did not run */
	uint32_t walk_due : 1;                  /* ran since its children were last listed */
	int64_t  clock_ns;                      /* its CPU clock when it was last read; negative: not read */
};

/*
 * Members stand in the order in which they were found, so a parent is always read before its children.
 * With that order a child that was read is not yet inside its parent's figures.
 */
struct members {
	struct member **order;
	struct glance *glance;                  /* of order[i] */
	struct member **dear;                   /* those with slow_due or pss_due */
	size_t n, n_dear, room;
	struct member **bucket;
	size_t buckets;                         /* a power of two */
	struct blocks member, waited;           /* their memory */
};

/* members.c */
void members_open(struct members *m, bool block_delay); /* whether waits for disks are counted */
int  members_reserve(struct members *m, size_t n) must_use;
struct member *members_add(struct members *m, pid_t pid);               /* NULL: out of memory */
struct waited *members_waited(struct members *m, struct member *p);     /* made if need be; NULL: out of memory */
struct member *members_find(const struct members *m, pid_t pid);        /* alive, or a zombie */
struct member *members_parent(const struct members *m, const struct member *child);     /* may be gone */
void members_set_dear(struct members *m, struct member *p);
void members_compact(struct members *m);        /* forgets those that are gone */
void members_release(struct members *m);

/* What its waited children left it; 0 where none did. */
static inline uint64_t member_waited(const struct member *m, size_t k)
{
	return m->waited && k < APART ? m->waited->figures[k] : 0;
}

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
