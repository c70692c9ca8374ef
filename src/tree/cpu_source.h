/* cpu_source.h - which source tells the CPU time of a tree in all, and what it has told. */
#ifndef RT_TREE_CPU_SOURCE_H
#define RT_TREE_CPU_SOURCE_H

#include "../kernel/perf_clock.h"
#include "../kernel/thread_clocks.h"
#include "ladder.h"
#include "leaf.h"

struct tick;
struct tree;
struct tree_options;

/* What befell the machine: the fields of struct cpu_reading. */
struct disturbance { uint64_t switches, interrupted_ns, busy_ns, faults; };

struct cpu_source {
	struct ladder ladder;
	const struct leaf *leaf;                /* NULL: none */
	struct perf_clock perf;                 /* of a command that we started */
	struct thread_clocks threads;           /* of a tree that was attached to (attached.h) */
	int      online;                        /* descriptor of the list of CPUs; -1: not open */
	struct leaf_usage leaf_told;            /* at the last reading */
	uint64_t perf_told[PERF_COUNTS];        /* likewise */
	struct thread_clocks_time threads_told; /* likewise */
	int64_t  begun_ns, read_ns;             /* when it was first and last read; 0: not yet */
	uint64_t capacity_ns;                   /* time since then on all CPUs */
	struct disturbance disturbance;         /* likewise */
	bool     blind;                         /* perf lost sight of a process */
	bool     told;                          /* a notice about a rung that was left */
};

#define CPU_SOURCE_CLOSED ((struct cpu_source){ .perf = PERF_CLOCK_CLOSED, .online = -1 })

/* Opens perf's events, those of births too, and chooses the rung; what was asked for and cannot be had is told. */
void cpu_source_open(struct tree *t, const struct tree_options *options);
/* After tree_report: sets the CPU time of the sample, its bounds and where it is from. */
void cpu_source_report(struct tree *t, struct tick *tick);
void cpu_source_close(struct cpu_source *c);

#endif
