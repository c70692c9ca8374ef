/*
 * ladder.h - the CPU time of a tree by the best source there is, between bounds that hold the truth.  Pure.
 *
 * RUNG_CGROUP   a control group of the tree's own: exact
 * RUNG_PERF     perf's task clock, or the ledger where that explains all of it.  perf counts children that
 *               nobody waits for; it ends with a task's perf events, early in its exit, and misses the rest of
 *               it, and a part of each switch: 17 us of 30 that a process takes to sleep and wake in a virtual
 *               machine.  So what is seen of living processes counts by their own clocks.  It runs on between the
 *               interrupt that wakes another task and the switch to that, and while interrupts and the hypervisor
 *               have the CPU, so that on a busy machine it counts too much: 4 % of one process beside 16 others.
 *               Where each process is known, that of living ones is known to be too much
 * RUNG_LEDGER   live processes and waited children; blind for what ended unseen and unwaited
 * RUNG_VISIBLE  what was seen of processes while they lived
 *
 * A rung can only be left downwards.
 */
#ifndef RT_LADDER_H
#define RT_LADDER_H

#include "../core/base.h"

/* In `faults`: not known. */
#define FAULTS_UNKNOWN (UINT64_MAX / 8192)

enum cpu_rung { RUNG_CGROUP, RUNG_PERF, RUNG_LEDGER, RUNG_VISIBLE, RUNG_COUNT };

/* What each source has counted by now, from any beginning; those of higher rungs than the one in use may be 0. */
struct cpu_reading {
	uint64_t cgroup_ns, perf_ns, ledger_ns, visible_ns;
	uint64_t by_process_ns;                 /* visible_ns, and that of others which perf counted to their ends */
	uint64_t unread_ns;                     /* at most, of others whose count at the end is missing */
	bool     by_process;                    /* the two are known, and hold all that the tree used */
	uint64_t ledger_system_ns;              /* its part in kernel mode */
	uint64_t unsure_ns;                     /* what perf_ns may lack of a tree that ran already (attached.h) */
	uint64_t faults;                        /* the tree's page faults, at most */
	bool     blind;                         /* perf lost sight of a process: no bound to what it misses is known */
	uint64_t tasks;                         /* processes and threads that the tree started, at most */
	uint64_t largest_bytes;                 /* resident memory of its largest process so far */
	uint64_t above_ns;                      /* what the control group around tree and recorder used; 0: unknown */
	uint64_t recorder_ns;                   /* and the recorder in it */
	/* The machine's, whoever they befell: */
	uint64_t switches;                      /* between tasks */
	uint64_t interrupted_ns;                /* interrupts, and time that the hypervisor gave to others */
	uint64_t busy_ns;                       /* CPU time in all; 0: unknown */
	uint64_t capacity_ns;                   /* time that went by on all CPUs together */
};

struct cpu_time { uint64_t total_ns, lower_ns, upper_ns; };

struct ladder {
	enum cpu_rung rung;
	struct cpu_reading since, last;         /* when this rung was entered; the last one */
	struct cpu_time base;                   /* what was known when it was entered */
	struct cpu_time told;                   /* by now; never falls */
};

void ladder_start(struct ladder *l, enum cpu_rung rung, const struct cpu_reading *now);
/* The source of the rung is gone: what it told stands, a lower one adds to it. */
void ladder_leave(struct ladder *l, enum cpu_rung lower);
/* What this rung told is void: the lower one takes its place from when it was entered. */
void ladder_retract(struct ladder *l, enum cpu_rung lower);
/*
 * The ledger saw clearly more than this rung says there can be: processes left its sight (moved to another
 * control group; a set-user-ID program, which perf does not follow).
 */
bool ladder_is_contradicted(const struct ladder *l, const struct cpu_reading *now);
/*
 * Processes that ended between samples used clearly more than waited children left: nobody waited for some of them.
 * cutime is told in ticks, so `slack_ns` of it may be missing.
 */
bool ladder_has_unwaited(const struct ladder *l, const struct cpu_reading *now, uint64_t slack_ns);
/* Takes a reading; returns what it adds. */
struct cpu_time ladder_step(struct ladder *l, const struct cpu_reading *now);

/* What perf may have missed of `tasks` tasks at most. */
uint64_t ladder_missed_ns(const struct cpu_reading *gain);

/* What perf may have counted too much, at most; and its part by the tree's share of the machine's CPU time. */
uint64_t ladder_excess_ns(const struct cpu_reading *gain);
uint64_t ladder_likely_excess_ns(const struct cpu_reading *gain);

/* "cgroup", "perf", "ledger", "visible". */
const char *rung_name(enum cpu_rung rung);

#endif
