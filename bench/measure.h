/*
 * measure.h - CPU time of one call, in a tight loop or paced, for the floor and the sample alike.
 *
 * All CPU time of the process counts, so that the work of a helper thread is included.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>
#include <sys/types.h>

struct measure {
	void (*call)(void *context);
	void  *context;
	size_t samples;
	size_t warm;                            /* calls before the samples, paced or tight like them */
	double hz;                              /* calls per second; 0: tight */
	double phase_seconds;                   /* paced: delay after each multiple of 1 / hz on CLOCK_MONOTONIC */
};

/*
 * Makes the calls and prints one line of JSON: us_per_sample (tight: the median of batches of 20;
 * paced: all CPU time divided by the calls, wake-ups included), and the resident memory after a
 * tenth of the calls and after all of them.
 */
void measure_run(const struct measure *m);

/* Returns the value of `--name` among pairs of name and value; prints an error and exits if a word is wrong. */
const char *measure_option(int argc, char **argv, const char *name, const char *otherwise);
size_t measure_number(int argc, char **argv, const char *name, size_t otherwise);

/* Prints a sentence and exits with 2. */
_Noreturn void measure_fail(const char *what, const char *detail);

struct bench_tree { pid_t *pids; size_t n; };

/* load_tree as a child of this process, held just before exec until tree_release.  It ends with this process. */
struct held { pid_t pid; int release, ready; };
struct held tree_hold(const char *load_tree, size_t processes, size_t busy);
void tree_release(struct held *h);              /* lets it run and waits until all its processes exist */
/* Finds all processes of the tree, the first one included; waits until they exist. */
struct bench_tree tree_members(pid_t root, size_t processes);
pid_t tree_root_below(pid_t parent);            /* waits for a tree below `parent` and finds it */

#endif
