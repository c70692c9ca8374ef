/*
 * collector.h - a source of metrics.  One file each in src/collect/, one line each in collectors.def.
 *
 *   start  opens what it will read again and again.  -ENODATA: this machine has none of it.
 *          A sentence in `why` is told to people, failed or not.
 *   read   fills its fields of tick->out, which arrive NONE; what it cannot tell, it leaves.
 *          Amounts are what happened since its last read: the first read gives levels only.
 *   stop   releases; safe after a failed start.
 *
 * A collector that fails leaves its values missing; the sampler reports the reason once and the
 * run goes on.  One that only lacks a part of its values sets tick->why, once, and returns 0.
 * read never blocks (see lane.h) and allocates nothing in the steady state.
 */
#ifndef RT_COLLECTOR_H
#define RT_COLLECTOR_H

#include <sys/types.h>

#include "sample.h"
#include "source.h"

struct gpu_service;
struct lane;
struct tree;
struct tree_options;

struct setup {                                  /* what a collector is started with */
	const struct source *src;
	pid_t  pid;                             /* the (first) tracked process; 0: watch the machine */
	double interval_seconds;                /* as configured; 0: the caller samples when it likes */
	const struct tree_options *tree;        /* NULL: no process is tracked */
	const char *gpus;                       /* those to watch (gpu/select.h); NULL: all */
	void (*gpu_serve)(const struct gpu_service *);  /* reads them in a thread (gpu/serve.h); NULL: a program does */
};

struct tick {                                   /* what a collector gets to work with */
	const struct source *src;
	struct text   *text;                    /* scratch, shared by all */
	const struct tree *tree;                /* as read in this sample; NULL: no process is tracked */
	struct sample *out;                     /* out->interval_seconds is since the last sample */
	struct why    *why;                     /* a sentence for people, failed or not: told each time it is set */
	bool spare;                             /* we cost too much: leave out what is dear and has a last value */
	unsigned slowdown;                      /* what is dear has so many times less of a budget; 0 is 1 */
	bool brief;                             /* somebody waits: leave out what can wait until the next reading */
	uint64_t forks_since_boot;              /* told by the cpu collector to those after it; 0: unknown */
	uint64_t forks_at_first;                /* what it told first, and when; not all need have been told then */
	int64_t  forks_first_ns;
	double programs_cpu_seconds;            /* what programs of ours used in all, and have resident: */
	double programs_rss_bytes;              /* the gpu collector reports it to the tracker's */
	uint64_t group;                         /* fingerprint of what the cgroup collector found, if it looked */
};

struct collector {
	size_t state_size;                      /* of `state`, which arrives zeroed */
	int  (*start)(void *state, const struct setup *setup, struct why *why);
	int  (*read)(void *state, struct tick *tick);
	void (*stop)(void *state);
};

#define COLLECTOR(name, what) extern const struct collector collector_##name;
#include "collectors.def"

#endif
