/*
 * cpu_source.h - the CPU time of a process tree in all: by the best source that is to be had, between bounds.
 *
 *     ladder.h     which of several numbers is right, and its bounds: pure
 *     leaf.h       a control group of the tree's own       leaf_place.h   whether one may be made
 *     attached.h   perf's clocks of a tree that runs already
 *
 * The tree says what its ledger has and what it knows of its processes; neither sees the other's members.
 */
#ifndef RT_CPU_SOURCE_H
#define RT_CPU_SOURCE_H

#include "../core/collector.h"
#include "../core/notices.h"
#include "../kernel/sideband.h"
#include "leaf.h"

/* Where the time is from (ladder.h), or the best that is to be had. */
enum cpu_choice { CPU_AUTO, CPU_CGROUP, CPU_PERF, CPU_LEDGER, CPU_VISIBLE };

struct cpu_source;

/* What is measured.  All that is pointed to outlives the source, but for the roots. */
struct cpu_setup {
	const struct source *src;
	struct notices *notices;
	struct text *text, *list;               /* room to read files into */
	enum cpu_choice choice;
	const struct leaf *leaf;                /* where the command was born, or the group around; NULL: unknown */
	const pid_t *roots;
	size_t n_roots;
	pid_t  self;                            /* our process, as /proc has it */
	bool   ours;                            /* the root is a command of ours, which has not begun */
	bool   whole;                           /* with all children, on this machine */
	bool   attachable;                      /* else: there are lists of children, with our numbers */
};

/*
 * Open opens perf's counters, begin chooses the rung, and both add a notice where what was asked for is not to be had.
 * Between them the events of forks are opened (kernel/sideband.h says why); NULL: there are none.  -ENOMEM.
 */
int  cpu_source_open(struct cpu_source **ret, const struct cpu_setup *setup) must_use;
void cpu_source_begin(struct cpu_source *c, const struct sideband *events);
void cpu_source_close(struct cpu_source *c);    /* NULL is fine */
size_t cpu_source_descriptors(const struct cpu_source *c);      /* open for clocks of single threads */

/* What a tree knows of itself at a sample.  Times are since its beginning. */
struct cpu_facts {
	int64_t  now_ns;                        /* CLOCK_MONOTONIC */
	bool     baseline;                      /* the first reading */
	uint64_t ledger_ns, user_ns, system_ns; /* the ledger */
	uint64_t ledger_slack_ns;               /* which may lack so much of what waited children used */
	uint64_t visible_ns;                    /* of living processes, by their own clocks */
	uint64_t unseen_ns;                     /* of others, by perf's records at their ends */
	uint64_t unread_ns;                     /* of others that have no such record, at most */
	uint64_t tasks;                         /* started, at most; UINT64_MAX: not counted */
	uint64_t largest_bytes;                 /* resident, of its largest process so far */
	uint64_t left_bytes;                    /* resident, of those that ended, each at its most */
	size_t   members;
	bool     unwatched;                     /* perf does not follow one of them */
	bool     counts_ends;                   /* unseen_ns and unread_ns are known, and no record was lost */
	bool     over;                          /* no process lives */
	bool     at_rest;                       /* no member did anything, and all used ... */
	uint64_t used_ns;                       /* ... so much (cpu_source_used) */
};

/* Sets process_cpu_* of the sample: user and system time, as split in the sample, are scaled to the total. */
void cpu_source_report(struct cpu_source *c, const struct cpu_facts *facts, struct tick *tick);
/* By then, processes had ended that nobody waited for. */
bool cpu_source_has_unwaited(const struct cpu_source *c);

/* What the tree used by now, by one number.  false: there is none, or it takes as long as reading all members. */
bool cpu_source_used(const struct cpu_source *c, uint64_t *ret_ns);

#endif
