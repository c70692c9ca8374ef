/*
 * sampler.h - all collectors together: one call takes one sample.
 *
 * A sampler has no globals, prints nothing and starts no timer; two in one process do not meet.
 * It is used by one thread at a time.
 */
#ifndef RT_SAMPLER_H
#define RT_SAMPLER_H

#include "../core/collector.h"

struct sampler;

struct sampler_options {
	const char *root;                       /* NULL: "/" */
	const struct source *source;            /* it, opened: it stays so as long as the sampler; NULL: not yet */
	pid_t       pid;                        /* whose control group counts; 0: our own */
	double      interval_seconds;           /* as configured, for collectors with a slow tier */
	const char *only, *without;             /* collectors' names separated by commas; NULL: all, none */
	const char *gpus;                       /* GPUs to watch; NULL: all (gpu/select.h) */
	void      (*gpu_serve)(const struct gpu_service *);     /* struct setup */
	const char *nvml;                       /* NVIDIA's library; NULL: the system's, if this is the live machine */
	double      max_overhead;               /* of one core: past it, fewer dear readings; 0: no limit */
	bool        shared_process;             /* it has other work too: ours is what samples use */
	const struct tree_options *tree;        /* NULL: no process is tracked */
	bool        tree_first;                 /* a command waits: see sampler_read_tree */
	/* Tests put their own clocks in here; NULL: the system's. */
	int64_t   (*monotonic_ns)(void *clock), (*wall_ns)(void *clock);
	void       *clock;
};

/* -EINVAL with a sentence for an unknown collector, and what source_open returns. */
int  sampler_open(struct sampler **ret, const struct sampler_options *options, struct why *why) must_use;
void sampler_close(struct sampler *s);          /* NULL is fine */

/*
 * Takes a sample.  The first call is the baseline: it has levels, but no amounts, and seq 0.
 * 0 always, even if collectors failed: their values are missing and sampler_notice says why.
 */
int  sampler_read(struct sampler *s, struct sample *out) must_use;
/*
 * The same in a hurry, while a command waits to start or its exit status to be passed on: counters are all
 * read, but what devices are, the space of filesystems and the like are left to the next full reading.
 */
int  sampler_read_brief(struct sampler *s, struct sample *out) must_use;

/*
 * For a command that waits to exec: with `tree_first` sampler_open starts the tree (and the tracker itself) alone, and
 * sampler_read_tree takes its baseline, so nothing of the command is missed.  Once it was let go,
 * sampler_open_rest starts the machine's collectors beside it; their baseline is the first reading.
 */
void sampler_read_tree(struct sampler *s, struct sample *scratch);
void sampler_open_rest(struct sampler *s);

/* The next reason not told yet why something is missing, or NULL.  Good until the next call on `s`. */
const char *sampler_notice(struct sampler *s);

/* CPU time of programs that read for us (gpu/program.h), as far as they have reported it. */
double sampler_programs_cpu_seconds(const struct sampler *s);
/* The process tree, for events (tree.h); NULL if none is tracked. */
struct tree *sampler_tree(struct sampler *s);
const struct source *sampler_source(const struct sampler *s);

#endif
