/*
 * cpu_estimate.h - the CPU time of a tree from the best source available, between bounds that contain the truth.  Pure.
 *
 * RUNG_CGROUP   a control group for the tree: exact
 * RUNG_PERF     perf's task clock, or the ledger if that explains all of it.  perf also counts children that no
 *               parent waits for.  It ends with a task's perf events, early in its exit, and misses the rest of the
 *               exit and a part of each switch: 17 us of 30 that a process takes to sleep and wake in a virtual
 *               machine.  So living processes count by their own clocks.  perf's clock runs on between the interrupt
 *               that wakes another task and the switch to it, and while interrupts and the hypervisor have the CPU.
 *               So it counts too much on a busy machine: 4 % of one process beside 16 others.  If each process is
 *               known, the excess of the living ones is known
 * RUNG_LEDGER   live processes and waited children; misses processes that exited unread and unwaited
 * RUNG_VISIBLE  what was read of processes while they lived
 *
 * A rung can only be left downwards.
 *
 * cpu_source.h reads the sources, calls cpu_estimate_step once for each sample, and leaves or retracts a rung when its
 * source is gone or contradicted.  All times are ns of CPU time.
 */
#ifndef RT_CPU_ESTIMATE_H
#define RT_CPU_ESTIMATE_H

#include "../core/base.h"

/* Value of `faults`: unknown. */
#define FAULTS_UNKNOWN (UINT64_MAX / 8192)

enum cpu_rung { RUNG_CGROUP, RUNG_PERF, RUNG_LEDGER, RUNG_VISIBLE, RUNG_COUNT };

/* The counts of each source so far, from any beginning; those of higher rungs than the one in use may be 0. */
struct cpu_reading {
	uint64_t cgroup_ns, perf_ns, ledger_ns, visible_ns;
	uint64_t by_process_ns;                 /* visible_ns, and others' time that perf counted to their exits */
	uint64_t unread_ns;                     /* of others without a count at their exit, upper bound */
	bool     by_process;                    /* the two are known, and contain all that the tree used */
	uint64_t ledger_system_ns;              /* part of the ledger in kernel mode */
	uint64_t unsure_ns;                     /* what perf_ns may lack of a tree that already ran (attached.h) */
	uint64_t faults;                        /* page faults of the tree, upper bound */
	bool     blind;                         /* perf misses a process: what it misses has no known bound */
	uint64_t tasks;                         /* processes and threads that the tree started, upper bound */
	uint64_t largest_bytes;                 /* resident memory of its largest process so far */
	uint64_t above_ns;                      /* CPU time of the control group around tree and recorder; 0: unknown */
	uint64_t recorder_ns;                   /* CPU time of the recorder in it */
	/* Of the whole machine: */
	uint64_t switches;                      /* between tasks */
	uint64_t interrupted_ns;                /* interrupts, and time that the hypervisor gave to others */
	uint64_t busy_ns;                       /* total CPU time; 0: unknown */
	uint64_t capacity_ns;                   /* elapsed time, summed over all CPUs */
};

struct cpu_time { uint64_t total_ns, lower_ns, upper_ns; };

struct cpu_estimate {
	enum cpu_rung rung;
	struct cpu_reading since, last;         /* when this rung was entered; the last one */
	struct cpu_time base;                   /* the result when it was entered */
	struct cpu_time reported;               /* reported so far; never decreases */
};

/* Begins on this rung at this reading; nothing is reported yet. */
void cpu_estimate_start(struct cpu_estimate *l, enum cpu_rung rung, const struct cpu_reading *now);
/* The source of the rung is gone: the reported time stays, and a lower rung adds to it. */
void cpu_estimate_leave(struct cpu_estimate *l, enum cpu_rung lower);
/* The time of this rung is void: the lower rung replaces it from when it was entered. */
void cpu_estimate_retract(struct cpu_estimate *l, enum cpu_rung lower);
/*
 * The ledger has clearly more than this rung allows: it misses processes (moved to another control group; a set-user-ID
 * program, which perf does not follow).
 */
bool cpu_estimate_is_contradicted(const struct cpu_estimate *l, const struct cpu_reading *now);
/*
 * Processes that exited between samples used clearly more than waited children account for: no parent waited for some
 * of them.  cutime is in ticks, so `slack_ns` of it may be missing.
 */
bool cpu_estimate_has_unwaited(const struct cpu_estimate *l, const struct cpu_reading *now, uint64_t slack_ns);
/* Adds a reading.  Returns by how much the reported total and its bounds grew; 0 if a source seems to step back. */
struct cpu_time cpu_estimate_step(struct cpu_estimate *l, const struct cpu_reading *now);

/* Upper bound of what perf missed of the tasks in `gain`, the difference of two readings. */
uint64_t cpu_estimate_missed_ns(const struct cpu_reading *gain);

/* Upper bound of what perf counted too much; and its part by the tree's share of the machine's CPU time. */
uint64_t cpu_estimate_excess_ns(const struct cpu_reading *gain);
uint64_t cpu_estimate_likely_excess_ns(const struct cpu_reading *gain);

/* "cgroup", "perf", "ledger", "visible". */
const char *rung_name(enum cpu_rung rung);

#endif
