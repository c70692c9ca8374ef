/*
 * tree_comparison.h - compares two sides of runs by their trees of programs: each branch, what started it included, by
 * its CPU time with all that it started.
 */
#ifndef RT_TREE_COMPARISON_H
#define RT_TREE_COMPARISON_H

#include "common_branches.h"
#include "comparison.h"

struct trees_side { struct program_tree *runs[RUNS_MOST]; };    /* of as many runs as the side has */

struct compared_branch {
	size_t seen[2];                         /* base, new: runs that have the branch */
	struct comparison c;                    /* cpu_time, with all below it, and largest_process alone */
	struct row processes, own_cpu_time;
	double mean[2], own_mean[2];            /* CPU seconds, of all runs: they add up; 0 where it was not seen */
};

/*
 * A run that could count its processes used nothing in a branch that it does not have; of another run that is unknown,
 * so it is left out there.
 */
struct tree_comparison {
	const struct side *base, *new;
	struct common_branches branches;
	struct compared_branch *at;             /* by branch */
	struct row job, short_lived;            /* CPU time in all, and of that what is in no branch */
	double job_mean[2], short_lived_mean[2];        /* NONE: unknown of some run */
	size_t uncounted;                       /* runs that could not count their processes */
	const struct condition *conditions;
	size_t n_conditions;
	bool   failed;
};

/*
 * Each condition (at most 32) is judged for each branch, of which both sides must be known (for a bound: the new side).
 * -ENODATA with a sentence if a condition could not be judged for any; -ENOMEM.  Sides and conditions must outlive it,
 * the trees need not.
 */
int  compare_trees(struct tree_comparison *ret, const struct side sides[2], const struct trees_side trees[2],
		   const struct condition *conditions, size_t n_conditions, struct why *why) must_use;
void tree_comparison_release(struct tree_comparison *c);

void tree_comparison_text(struct buffer *out, const struct tree_comparison *c);
void tree_comparison_markdown(struct buffer *out, const struct tree_comparison *c);
void tree_comparison_json(struct buffer *out, const struct tree_comparison *c);

#endif
