/*
 * collector.h - a source of metrics.  One file each in src/collect/, one line each in collectors.def.
 *
 *   start  opens what it will read again and again.  -ENODATA: this machine has none of it.
 *          A sentence in `why` is reported to the user, after a success too, but not with -ENODATA.
 *   read   fills its fields of tick->out, which are NONE at first; unknown ones stay NONE.
 *          Amounts are what happened since its last read: the first read gives levels only.
 *   stop   releases; called after a failed start too.
 *
 * If a collector fails, its values are missing and the run continues.  A failed start is not tried again, and its
 * sentence is the only report; without the collector `process` there is no sampler.  A failed read (-errno) leaves
 * NONE what it has not filled; what it has filled stays.  It is reported once, and again after a good one.  If only a
 * part of its values is missing, it sets tick->why, once, and returns 0.
 * `state` is zeroed, and freed by the sampler: start sets descriptors that it has not opened to -1.
 * read never blocks (see worker.h) and allocates nothing in the steady state.
 */
#ifndef RT_COLLECTOR_H
#define RT_COLLECTOR_H

#include <sys/types.h>

#include "sample.h"
#include "source.h"

struct gpu_service;
struct worker;
struct tree;
struct tree_options;

struct setup {                                  /* input of start; what its pointers lead to is valid until stop */
	const struct source *src;
	pid_t  pid;                             /* the (first) tracked process; 0: watch the machine */
	double interval_seconds;                /* as configured; 0: the caller samples at any time */
	double max_overhead;                    /* of one core, for what is read by another program; 0: no limit */
	const struct tree_options *tree;        /* NULL: no process is tracked */
	const char *gpus;                       /* those to watch (gpu/select.h); NULL: all */
	void (*gpu_serve)(const struct gpu_service *);  /* reads them in a thread (gpu/serve.h); NULL: a program does */
};

struct tick {                                   /* input and output of read */
	const struct source *src;
	struct text   *text;                    /* scratch, shared by all */
	const struct tree *tree;                /* NULL: no process is tracked.  Read in this sample for collectors
						   after `process`; for those before it, in the last one */
	struct sample *out;                     /* out->interval_seconds is since the last sample */
	struct why    *why;                     /* a sentence for the user, after a success too; reported each time */
	bool spare;                             /* we cost too much: skip slow readings that have a last value */
	unsigned slowdown;                      /* divisor of the budgets of slow readings; 0 is 1 */
	bool brief;                             /* a process waits: skip what can wait until the next reading */
	uint64_t forks_since_boot;              /* set by the cpu collector for those after it; 0: unknown */
	uint64_t forks_at_first;                /* its first known value, 0 until the sample after that one, and a */
	int64_t  forks_first_ns;                /* time by CLOCK_MONOTONIC by which it was read */
	double programs_cpu_seconds;            /* total CPU time and resident memory of our programs: 0 at first, */
	double programs_rss_bytes;              /* the gpu collector adds its own, before the tracker's is read */
	uint64_t group;                         /* fingerprint of the cgroup collector's groups; 0: not checked now */
};

struct collector {
	size_t state_size;                      /* of `state`, which is zeroed */
	int  (*start)(void *state, const struct setup *setup, struct why *why);
	int  (*read)(void *state, struct tick *tick);
	void (*stop)(void *state);
};

#define COLLECTOR(name, what) extern const struct collector collector_##name;
#include "collectors.def"

#endif
