/*
 * cpu_source.h - the total CPU time of a process tree: from the best source available, with bounds.
 *
 *     cpu_estimate.h     which of several numbers is right, and its bounds: pure
 *     own_cgroup.h       a control group for the tree            own_cgroup_place.h   whether one may be made
 *     attached.h         perf's clocks of a tree that already runs
 *
 * The tree passes the figures of its ledger and facts about its processes.  Neither sees the other's members.
 */
#ifndef RT_CPU_SOURCE_H
#define RT_CPU_SOURCE_H

#include "../core/collector.h"
#include "../core/notices.h"
#include "../kernel/sideband.h"
#include "own_cgroup.h"

/* The source of the time (cpu_estimate.h), or the best one available. */
enum cpu_choice { CPU_AUTO, CPU_CGROUP, CPU_PERF, CPU_LEDGER, CPU_VISIBLE };

struct cpu_source;

/* The tree to measure.  All pointers outlive the source, except `roots`. */
struct cpu_setup {
	const struct source *src;
	struct notices *notices;
	struct text *text, *list;               /* scratch for files */
	enum cpu_choice choice;
	const struct own_cgroup *own_cgroup;    /* the command's group, or the one above; NULL: unknown */
	const pid_t *roots;
	size_t n_roots;
	pid_t  self;                            /* our pid in /proc */
	bool   ours;                            /* the root is our command, which has not started yet */
	bool   whole;                           /* with all children, on this machine */
	bool   attachable;                      /* else: there are lists of children, with our pids */
};

/*
 * Open opens perf's counters, begin chooses the rung.  Both add a notice if what was asked for is not available.
 * Between the two, the events of forks are opened (kernel/sideband.h says why); NULL: there are none.  They outlive the
 * source.  -ENOMEM.
 */
int  cpu_source_open(struct cpu_source **ret, const struct cpu_setup *setup) must_use;
void cpu_source_begin(struct cpu_source *c, const struct sideband *events);
void cpu_source_close(struct cpu_source *c);    /* NULL is fine */
size_t cpu_source_descriptors(const struct cpu_source *c);      /* open for clocks of single threads */

/* What a tree reports of itself at a sample.  Times are since its beginning. */
struct cpu_facts {
	int64_t  now_ns;                        /* CLOCK_MONOTONIC */
	bool     baseline;                      /* the first reading */
	uint64_t ledger_ns, user_ns, system_ns; /* the ledger */
	uint64_t ledger_slack_ns;               /* CPU time of waited children that it may lack */
	uint64_t visible_ns;                    /* of living processes, by their own clocks */
	uint64_t unseen_ns;                     /* of others, by perf's records at their exits */
	uint64_t unread_ns;                     /* of others without such a record, upper bound */
	uint64_t tasks;                         /* tasks started, upper bound; UINT64_MAX: not counted */
	uint64_t largest_bytes;                 /* resident memory of its largest process so far */
	uint64_t left_bytes;                    /* resident memory of members that exited, each at its peak */
	size_t   members;
	bool     unwatched;                     /* perf does not follow some member */
	bool     counts_ends;                   /* unseen_ns and unread_ns are known, and no record was lost */
	bool     over;                          /* no process lives */
	bool     at_rest;                       /* no member did anything, and the tree used ... */
	uint64_t used_ns;                       /* ... so much (cpu_source_used) */
};

/*
 * Once for each sample: sets process_cpu_* of it; user and system time, as split in the sample, are scaled to the
 * total.  A source that fails is left for a lower rung, with a notice.
 */
void cpu_source_report(struct cpu_source *c, const struct cpu_facts *facts, struct tick *tick);
/* Whether some process exited without a parent that waits for it, as of the last report. */
bool cpu_source_has_unwaited(const struct cpu_source *c);

/* The CPU time of the tree so far, by one number.  false: there is none, or it takes as long as reading all members. */
bool cpu_source_used(const struct cpu_source *c, uint64_t *ret_ns);

#endif
