/*
 * member.h - a process of the tree: what is kept of it.
 *
 * A tree of a thousand processes should take less memory than the program itself, and looking at those that sleep
 * should cost a look at their CPU clocks and nothing else.  So things lie together that are needed together:
 *
 *     struct glance     16 bytes    all that is looked at of a member that did not run; one array, read in one sweep
 *     struct member    488 bytes    what is needed once it ran
 *     struct waited    128 bytes    what children left it: few wait for children that used something
 *
 * and no level is kept that can be computed from what was read (figures_levels).  What a room above keeps of each
 * member is a struct of that room's here, which no other room touches.
 */
#ifndef RT_MEMBER_H
#define RT_MEMBER_H

#include "../sockets/socket_tree.h"
#include "figures.h"

enum member_file { FILE_STAT, FILE_STATM, FILE_IO, FILE_CHILDREN, MEMBER_FILES };
enum { THREAD_SUMS = BLOCK_DELAY_NS - HANDED_ON, NAME_SIZE = 16 };

/* What children that it waited for left a member, and how much of that is explained. */
struct waited {
	uint64_t figures[APART];                /* as counted in the sums */
	/* By children of ours that are gone, or as there at the first reading of the pass before this one. */
	uint64_t explained[APART];
	uint64_t first[APART];                  /* at the first reading of the last pass that read it */
	uint32_t nested;                        /* settle: members that are gone and are in it */
};

/* accounting/: its use in the sums. */
struct member_account {
	struct waited *waited;                  /* NULL: no child that it waited for has used anything */
	uint64_t counted_ns;                    /* CPU time that stands with a program */
	uint32_t remainder_ns;                  /* waited children's CPU that cutime rounded away: two ticks at most */
	uint32_t losses;                        /* settle's, plus 1; 0: none */
	bool     folded : 1;                    /* settle: its figures are in an ancestor's, which is gone too */
	bool     inherited : 1;                 /* settle: an ancestor that lives may have its figures */
	bool     found_ended : 1;               /* first seen as a zombie: its CPU time is told by perf, if at all */
};

/* memory/: whose memory it shares, and what that says of its bounds. */
struct member_memory {
	struct family *family;                  /* NULL: unknown, or it has no memory */
	/* Its RSS and page faults at the last visit of an earlier pass, if no other shared its memory then; else 0. */
	int64_t  alone_rss;
	uint64_t alone_faults;
	int64_t  lent;                          /* RSS of its children as they were found, which its own bounds hold */
	int64_t  credit;                        /* as counted in its family */
	int64_t  peak_rss;                      /* of this program: exec begins anew */
	uint32_t credit_epoch;                  /* of its family, when credit was counted */
	uint32_t found_pass;                    /* when it, or its exec, was found */
	uint32_t table_pages;                   /* page tables, as last seen in status */
	bool     due : 1;                       /* ran since PSS was last considered */
	bool     ran : 1;                       /* since PSS was last read or it was found */
	bool     denied : 1;                    /* its smaps_rollup may not be read */
	bool     renewed : 1;                   /* exec'd after it was first seen as a program of its own */
};

/* visits/: the files that are too dear for every visit. */
struct member_slow {
	int64_t  first_ns, last_ns;             /* when they were first and last read; 0: never */
	int64_t  rss;                           /* its RSS at the last reading */
	uint64_t cpu_ns;                        /* its CPU time then */
	uint64_t thread_sum[THREAD_SUMS];       /* last sums over threads, for gains: counters from HANDED_ON on */
	uint32_t peak_faults;                   /* when status was last asked for its peak; low bits */
	bool     due : 1;                       /* ran since they were last read */
	bool     threads_seen : 1;              /* thread_sum is known ... */
	unsigned sample_shift : 5;              /* ... of one in 2^sample_shift threads, and the main one */
};

struct member {
	struct member *chain;                   /* next of the same bucket */
	uint64_t start_ticks;
	pid_t    pid, parent;                   /* the parent as last known */
	uint32_t at;                            /* place in the order of members; its glance is there */
	uint32_t pass;                          /* the pass in which it was last read */
	uint32_t reads;                         /* how often its files were read */
	uint16_t root, program;                 /* indices */

	bool     is_root : 1;                   /* of `root` */
	bool     fresh : 1;                     /* found after the baseline, or ours: all it ever used counts */
	bool     unwatched : 1;                 /* perf's events do not follow it: walked */
	bool     exited : 1;                    /* perf recorded its end */
	bool     gone : 1;                      /* vanished, or reaped: leaves the sums at the end of the pass */
	bool     reaped : 1;                    /* by us: its figures are exact */
	bool     end_noted : 1;                 /* its end is among those that are handed out */
	bool     lost_child : 1;                /* a child of it ended that no reading met */
	bool     news : 1;                      /* it ended or waited for a child in this pass */
	bool     again : 1;                     /* it is to be read once more in this pass */
	bool     in_dear : 1;                   /* stands in members.dear */
	bool     denied_io : 1;                 /* its io may not be read */
	bool     borrows : 1;                   /* runs in its parent's memory, which is counted there */
	struct socket_mark socket_mark;         /* its sockets' */

	int16_t  fd[MEMBER_FILES];              /* kept open; -1: not */
	char     comm[NAME_SIZE];
	uint64_t forked_ns;                     /* CLOCK_MONOTONIC, by perf; 0: not recorded */
	struct member_account account;
	struct member_memory memory;
	struct member_slow slow;
	struct figures figures;                 /* as counted in the sums */

	struct {                                /* waits for disks */
		uint64_t first_ns;              /* the first thread's, as last read ... */
		int64_t  first_seen_ns;         /* ... and when; 0: never */
		uint64_t others_ns;             /* the last sum over the other threads */
	} block;
};

/* What its waited children left it; 0 where none did. */
static inline uint64_t member_waited(const struct member *m, size_t k)
{
	return m->account.waited && k < APART ? m->account.waited->figures[k] : 0;
}

#endif
