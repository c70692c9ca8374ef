/*
 * cpu_source_state.h - the members of a source of CPU time, for the files of cpu_source.h: cpu_source_open.c (which
 * sources there are), cpu_source_read.c (their numbers), cpu_source_report.c (what a sample gets of them).
 */
#ifndef RT_CPU_SOURCE_STATE_H
#define RT_CPU_SOURCE_STATE_H

#include "../kernel/perf_clock.h"
#include "attached.h"
#include "cpu_estimate.h"
#include "cpu_source.h"

/* Disturbances of the machine: fields of struct cpu_reading. */
struct disturbance { uint64_t switches, interrupted_ns, busy_ns, faults; };

struct cpu_source {
	const struct source *src;
	struct notices *notices;
	struct text *text;
	bool     ours;                          /* the command is ours */
	pid_t    root;
	enum cpu_choice choice;
	bool     wants_perf;                    /* perf was asked for, or is the best source available */
	struct cpu_estimate estimate;
	const struct own_cgroup *own_cgroup;    /* NULL: none */
	const struct sideband *events;          /* NULL: none */
	struct perf_clock perf;                 /* of a command that we started */
	struct thread_clocks threads;           /* of an attached tree (attached.h) */
	int      refused;                       /* -errno of perf; 0: not refused, or not asked for */
	int      online;                        /* descriptor of the list of CPUs; -1: not open */
	struct own_cgroup_usage own_cgroup_reported;            /* at the last reading */
	uint64_t perf_reported[PERF_COUNTS];    /* likewise */
	struct thread_clocks_time threads_reported; /* likewise */
	int64_t  begun_ns, read_ns;             /* time of the first and of the last reading; 0: none yet */
	uint64_t capacity_ns;                   /* time since then, summed over all CPUs */
	struct disturbance disturbance;         /* likewise */
	bool     blind;                         /* perf misses a process */
	bool     more_than_waited;              /* exited processes used more than waited children account for */
	bool     unwaited;                      /* that was so twice: no parent waited for some process */
	bool     noticed;                       /* a missing or lost rung was reported */
};

/* One reading of all sources. */
struct readings {
	struct cpu_reading cpu;
	struct own_cgroup_usage own_cgroup;
	uint64_t perf[PERF_COUNTS];
	struct thread_clocks_time threads;
};

/* Reads what is always known, and the input for perf's upper bound. */
void cpu_source_read_common(struct cpu_source *c, const struct cpu_facts *facts, const struct tick *tick,
			    struct cpu_reading *now);
/* Reads the rung in use, after cpu_source_read_common.  0, or -errno of that rung. */
int  cpu_source_read_rung(const struct cpu_source *c, const struct cpu_facts *facts, struct readings *now);

#endif
