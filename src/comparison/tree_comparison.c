/* tree_comparison.c - compares two sides of runs by which program started which. */
#include "tree_comparison.h"

#include <string.h>

/* The runs of both sides stand behind each other in the common branches. */
struct range { size_t first, end; };

static struct range runs_of(const struct side sides[2], size_t which)
{
	return which == 0 ? (struct range){ 0, sides[0].n } : (struct range){ sides[0].n, sides[0].n + sides[1].n };
}

/* One figure of a branch in a run; NONE: unknown. */
typedef double figure_of(const struct branch_use *u);

static double with_below(const struct branch_use *u)
{
	return u->with_below;
}

static double own_cpu(const struct branch_use *u)
{
	return u->cpu_seconds;
}

static double processes(const struct branch_use *u)
{
	return u->seen ? u->processes : 0;
}

static double largest(const struct branch_use *u)
{
	return u->largest_bytes;
}

/* The known values of the runs of a side. */
static size_t gather(double to[RUNS_MOST], const struct common_branches *all, const struct common_branch *b,
		     struct range runs, figure_of *figure)
{
	size_t n = 0;

	for (size_t i = runs.first; i < runs.end; i++) {
		double value = b->in[i].seen || all->counts[i] ? figure(&b->in[i]) : NONE;

		if (!is_none(value))
			to[n++] = value;
	}
	return n;
}

static struct row row_of(const struct common_branches *all, const struct common_branch *b, const struct side sides[2],
			 figure_of *figure, enum unit unit)
{
	double base[RUNS_MOST], new[RUNS_MOST];
	size_t n = gather(base, all, b, runs_of(sides, 0), figure), m = gather(new, all, b, runs_of(sides, 1), figure);
	struct row row = compare_values(base, n, new, m, unit);

	if (n > 0 || m > 0)
		row.basis = BASIS_JOB;
	return row;
}

static double mean_of(const struct common_branch *b, struct range runs, figure_of *figure)
{
	double sum = 0;

	for (size_t i = runs.first; i < runs.end; i++)
		sum += figure(&b->in[i]);
	return sum / (double)(runs.end - runs.first);
}

static void compare_branch(struct compared_branch *to, const struct common_branches *all, const struct common_branch *b,
			   const struct side sides[2], const struct condition *conditions, size_t n_conditions)
{
	to->c = (struct comparison){ .conditions = conditions, .n_conditions = n_conditions };
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		to->c.rows[q] = compare_values(NULL, 0, NULL, 0, quantities[q].unit);
	to->c.rows[QUANTITY_cpu_time] = row_of(all, b, sides, with_below, UNIT_SECONDS);
	to->c.rows[QUANTITY_largest_process] = row_of(all, b, sides, largest, UNIT_BYTES);
	to->own_cpu_time = row_of(all, b, sides, own_cpu, UNIT_SECONDS);
	to->processes = row_of(all, b, sides, processes, UNIT_COUNT);
	for (size_t which = 0; which < 2; which++) {
		struct range runs = runs_of(sides, which);

		for (size_t i = runs.first; i < runs.end; i++)
			to->seen[which] += b->in[i].seen;
		to->mean[which] = mean_of(b, runs, with_below);
		to->own_mean[which] = mean_of(b, runs, own_cpu);
	}
}

/* CPU time of the whole job, and what no branch has of it. */
static void compare_whole(struct tree_comparison *c, const struct side sides[2])
{
	double job[2][RUNS_MOST], rest[2][RUNS_MOST];
	size_t n[2] = { 0, 0 };

	for (size_t which = 0; which < 2; which++) {
		struct range runs = runs_of(sides, which);
		double *sum = &c->job_mean[which], *left = &c->short_lived_mean[which];

		for (size_t i = 0; i < sides[which].n; i++) {
			double all = sides[which].runs[i].by[QUANTITY_cpu_time][BASIS_JOB], in_branches = 0;

			for (size_t k = 0; k < c->branches.n; k++)
				if (c->branches.at[k].parent < 0)
					in_branches += c->branches.at[k].in[runs.first + i].with_below;
			*sum += all / (double)sides[which].n;                   /* NONE stays NONE */
			*left += (all - in_branches) / (double)sides[which].n;
			if (is_none(all))
				continue;
			job[which][n[which]] = all;
			rest[which][n[which]++] = all - in_branches;
		}
	}
	c->job = compare_values(job[0], n[0], job[1], n[1], UNIT_SECONDS);
	c->short_lived = compare_values(rest[0], n[0], rest[1], n[1], UNIT_SECONDS);
	c->job.basis = c->short_lived.basis = BASIS_JOB;
}

static int read_branches(struct tree_comparison *c, const struct side sides[2], const struct trees_side trees[2])
{
	const struct program_tree *all[2 * RUNS_MOST];
	size_t n = 0;
	int r;

	for (size_t which = 0; which < 2; which++)
		for (size_t i = 0; i < sides[which].n; i++)
			all[n++] = trees[which].runs[i];
	r = common_branches_read(&c->branches, all, n);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		c->uncounted += !c->branches.counts[i];
	c->at = calloc(c->branches.n + 1, sizeof *c->at);
	return c->at ? 0 : -ENOMEM;
}

int compare_trees(struct tree_comparison *ret, const struct side sides[2], const struct trees_side trees[2],
		  const struct condition *conditions, size_t n_conditions, struct why *why)
{
	struct tree_comparison c = {
		.base = &sides[0], .new = &sides[1], .conditions = conditions, .n_conditions = n_conditions,
	};
	bool judged[countof(((struct comparison *)0)->met)] = { false };
	int r = read_branches(&c, sides, trees);

	if (r < 0)
		(void)why_set(why, r, "out of memory");
	for (size_t i = 0; r == 0 && i < c.branches.n; i++) {
		struct compared_branch *at = &c.at[i];

		compare_branch(at, &c.branches, &c.branches.at[i], sides, conditions, n_conditions);
		for (size_t k = 0; k < n_conditions; k++)
			judged[k] = comparison_judge(&at->c, k) || judged[k];
		c.failed = c.failed || at->c.failed;
	}
	for (size_t k = 0; r == 0 && k < n_conditions; k++)
		if (!judged[k])
			r = why_set(why, -ENODATA, "--fail-on '%s' cannot be judged: %s is known of no branch of the tree",
				    conditions[k].text, quantities[conditions[k].quantity].name);
	if (r < 0) {
		tree_comparison_release(&c);
		return r;
	}
	compare_whole(&c, sides);
	*ret = c;
	return 0;
}

void tree_comparison_release(struct tree_comparison *c)
{
	common_branches_release(&c->branches);
	free(c->at);
	*c = (struct tree_comparison){ .at = NULL };
}
