/*
 * sampler.h - all collectors together: one call takes one sample.
 *
 * A sampler has no globals, prints nothing and starts no timer; several in one process are independent.  It is used by
 * one thread at a time.
 */
#ifndef RT_SAMPLER_H
#define RT_SAMPLER_H

#include "../core/collector.h"

struct sampler;

struct sampler_options {                        /* what its pointers lead to outlives the sampler */
	const char *root;                       /* NULL: "/" */
	const struct source *source;            /* the same, opened; it outlives the sampler; NULL: not opened */
	pid_t       pid;                        /* process of the control group to read; 0: our own */
	double      interval_seconds;           /* as configured, for collectors with a slow tier */
	const char *only, *without;             /* collectors' names separated by commas; NULL: all, none */
	const char *gpus;                       /* GPUs to watch; NULL: all (gpu/select.h) */
	void      (*gpu_serve)(const struct gpu_service *);     /* struct setup */
	const char *nvml;                       /* NVIDIA's library; NULL: the system's, if this is the live machine */
	double      max_overhead;               /* of one core: above it, fewer slow readings; 0: no limit */
	bool        shared_process;             /* with other work: only the thread's CPU time in samples is ours */
	const struct tree_options *tree;        /* NULL: no process is tracked */
	bool        tree_first;                 /* a command waits: see sampler_read_tree */
	/* Tests set their own clocks here; NULL: the system's. */
	int64_t   (*monotonic_ns)(void *clock), (*wall_ns)(void *clock);
	void       *clock;
};

/*
 * -errno with a sentence: -EINVAL for an unknown collector, and what source_open and tree_open return.  A collector
 * that does not start is no error, but a notice.
 */
int  sampler_open(struct sampler **ret, const struct sampler_options *options, struct why *why) must_use;
void sampler_close(struct sampler *s);          /* NULL is fine */

/*
 * Takes a sample.  The first call is the baseline: it has levels, but no amounts, and seq 0.  Returns 0 even if
 * collectors failed: their values are missing, and sampler_notice returns the reasons.
 */
int  sampler_read(struct sampler *s, struct sample *out) must_use;
/*
 * The same in a hurry, while a command waits to start or its exit status waits to be passed on: all counters are read.
 * Descriptions of devices, the space of filesystems and the like wait for the next full reading.
 */
int  sampler_read_brief(struct sampler *s, struct sample *out) must_use;

/*
 * For a command that waits to exec: with `tree_first` sampler_open starts the tree (and the tracker itself) alone, and
 * sampler_read_tree takes its baseline, so nothing of the command is missed.  After the command's release,
 * sampler_open_rest starts the machine's collectors beside it; their baseline is the first reading.
 */
void sampler_read_tree(struct sampler *s, struct sample *scratch);      /* scratch means nothing afterwards */
void sampler_open_rest(struct sampler *s);

/* The next notice about missing values, each returned once; or NULL.  Valid until the next call on `s`. */
const char *sampler_notice(struct sampler *s);

/* CPU time of programs that read for us (gpu/program.h), as far as they have reported it. */
double sampler_programs_cpu_seconds(const struct sampler *s);
/* The process tree, for events (tree.h), and the source; they belong to the sampler.  NULL if no process is tracked. */
struct tree *sampler_tree(struct sampler *s);
const struct source *sampler_source(const struct sampler *s);

#endif
