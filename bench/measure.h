/*
 * measure.h - CPU time of one call, in a tight loop or paced, for the floor and for us alike.
 *
 * All CPU time of the process counts, so that work which a helper thread does is not free.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>
#include <sys/types.h>

struct measure {
	void (*call)(void *context);
	void  *context;
	size_t samples;
	size_t warm;                            /* calls before those, paced or tight like them */
	double hz;                              /* 0: tight */
	double phase_seconds;                   /* paced: so long after each multiple of 1 / hz on CLOCK_MONOTONIC */
};

/*
 * Makes the calls and prints one line of JSON: us_per_sample (tight: the median of batches of 20;
 * paced: all CPU time divided by the calls, waking up included), and the resident memory after a
 * tenth of the calls and after all of them.
 */
void measure_run(const struct measure *m);

/* Reads --name value pairs; prints what is wrong and leaves. */
const char *measure_option(int argc, char **argv, const char *name, const char *otherwise);
size_t measure_number(int argc, char **argv, const char *name, size_t otherwise);

/* Leaves with 2 and a sentence. */
_Noreturn void measure_fail(const char *what, const char *detail);

struct bench_tree { pid_t *pids; size_t n; };

/*
 * load_tree as a child of ours, held just before exec until tree_release.  It lives until our end.
 */
struct held { pid_t pid; int release, ready; };
struct held tree_hold(const char *load_tree, size_t processes, size_t busy);
void tree_release(struct held *h);              /* lets it run and waits until all its processes stand */
/* All processes of the tree, the first one included; waits until they stand. */
struct bench_tree tree_members(pid_t root, size_t processes);
pid_t tree_root_below(pid_t parent);            /* of the tree that another program holds; waits until there is one */

#endif
