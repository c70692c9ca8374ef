/*
 * member.h - a process of the tree: the data that is kept for it.
 *
 * A tree of a thousand processes should take less memory than the program itself, and a sleeping member should cost one
 * reading of its CPU clock and nothing else.  So data that is needed together lies together:
 *
 *     struct glance     16 bytes    all that is read of a member that did not run; one array, read in one sweep
 *     struct member    552 bytes    needed once the member ran
 *     struct waited    128 bytes    inherited from children: few members wait for children that used something
 *
 * No level is stored that can be computed from the reading (figures_levels).  A room above keeps its data for each
 * member in a struct of its own here, which no other room touches.
 */
#ifndef RT_MEMBER_H
#define RT_MEMBER_H

#include "../sockets/socket_tree.h"
#include "figures.h"

enum member_file { FILE_STAT, FILE_STATM, FILE_IO, FILE_CHILDREN, MEMBER_FILES };
enum { THREAD_SUMS = BLOCK_DELAY_NS - HANDED_ON, NAME_SIZE = 16 };

/* The figures that a member inherited from children it waited for, and the explained part of them. */
struct waited {
	uint64_t figures[APART];                /* as counted in the sums */
	/* By members that are gone; at least the value at the first reading of the pass before this one. */
	uint64_t explained[APART];
	uint64_t first[APART];                  /* at the first reading of the last pass that read it */
	uint32_t nested;                        /* settle: the number of gone members included in it */
};

/* accounting/: its part of the sums. */
struct member_account {
	struct waited *waited;                  /* NULL: no waited child has used anything */
	uint64_t counted_ns;                    /* CPU time that is counted for a program */
	uint32_t remainder_ns;                  /* waited children's CPU that cutime rounded away: two ticks at most */
	uint32_t losses;                        /* index in settle, plus 1; 0: none */
	bool     folded : 1;                    /* settle: its figures are in an ancestor that is gone too */
	bool     inherited : 1;                 /* settle: a living ancestor may have its figures */
	bool     found_ended : 1;               /* first read as a zombie: only perf can report its CPU time */
};

/* memory/: how it shares memory, and what follows for its bounds. */
struct member_memory {
	struct fork_group *fork_group;                  /* NULL: unknown, or it has no memory */
	/* Its RSS and page faults at the last visit of an earlier pass, if its memory was not shared then; else 0. */
	int64_t  alone_rss;
	uint64_t alone_faults;
	int64_t  lent;                          /* RSS of its children when found, included in its own bounds */
	int64_t  credit;                        /* as counted in its fork group */
	int64_t  peak_rss;                      /* of this program: exec resets it */
	int64_t  peak_before;                   /* from before the baseline, which does not count; 0: none */
	uint32_t credit_epoch;                  /* of its fork group, when credit was counted */
	uint32_t found_pass;                    /* when it, or its exec, was found */
	uint32_t table_pages;                   /* page tables, as last seen in status */
	bool     due : 1;                       /* ran since PSS was last considered */
	bool     ran : 1;                       /* since PSS was last read or it was found */
	bool     denied : 1;                    /* reading its smaps_rollup is not allowed */
	bool     renewed : 1;                   /* exec'd after it was first seen as a program of its own */
	bool     marked : 1;                    /* its high-water mark was read once */
};

/* visits/: what the next reading of its files is compared with. */
struct member_visits {
	struct {                                /* the files that are too slow for every visit */
		int64_t  first_ns, last_ns;     /* when they were first and last read; 0: never */
		int64_t  rss;                   /* its RSS at the last reading */
		uint64_t cpu_ns;                /* its CPU time then */
		uint64_t thread_sum[THREAD_SUMS];  /* last sums over threads, for gains: counters from HANDED_ON on */
		uint32_t peak_faults;           /* page faults when status was last read for its peak; low bits */
		bool     due : 1;               /* ran since they were last read */
		bool     threads_seen : 1;      /* thread_sum is known ... */
		unsigned sample_shift : 5;      /* ... of one in 2^sample_shift threads, and the main one */
	} slow;
	struct {                                /* waits for disks */
		uint64_t first_ns;              /* the first thread's, as last read ... */
		int64_t  first_seen_ns;         /* ... and when; 0: never */
		uint64_t others_ns;             /* the last sum over the other threads */
	} block;
};

struct member {
	struct member *chain;                   /* next of the same bucket */
	uint64_t start_ticks;
	pid_t    pid, parent;                   /* parent: as last read */
	uint32_t at;                            /* place in the order of members; its glance is there */
	uint32_t pass;                          /* the pass in which it was last read */
	uint32_t reads;                         /* how often its files were read */
	uint16_t root, branch;                  /* indices; branch: of accounting/ */

	bool     is_root : 1;                   /* of `root` */
	bool     fresh : 1;                     /* found after the baseline, or ours: all of its use counts */
	bool     unwatched : 1;                 /* perf's events do not follow it: walked */
	bool     exited : 1;                    /* perf recorded its exit */
	bool     gone : 1;                      /* vanished, or reaped: leaves the sums at the end of the pass */
	bool     reaped : 1;                    /* by us: its figures are exact */
	bool     end_noted : 1;                 /* its exit is among those to be returned */
	bool     lost_child : 1;                /* a child of it exited unread */
	bool     news : 1;                      /* it exited or waited for a child in this pass */
	bool     again : 1;                     /* it is to be read once more in this pass */
	bool     in_due : 1;                    /* it is in members.due */
	bool     denied_io : 1;                 /* reading its io is not allowed */
	bool     shares_mm : 1;                 /* runs in its parent's memory, which is counted there */
	struct socket_mark socket_mark;         /* of sockets/ */

	int16_t  fd[MEMBER_FILES];              /* kept open; -1: not */
	char     comm[NAME_SIZE];
	uint64_t forked_ns;                     /* CLOCK_MONOTONIC, by perf; 0: not recorded */
	struct member_account account;
	struct member_memory memory;
	struct member_visits visits;
	struct figures figures;                 /* as counted in the sums */
};

/* Inherited from waited children; 0: nothing. */
static inline uint64_t member_waited(const struct member *m, size_t k)
{
	return m->account.waited && k < APART ? m->account.waited->figures[k] : 0;
}

#endif
