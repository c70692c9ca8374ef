/* program_tree.c - which branches of a tree of programs are shown. */
#include "program_tree.h"

#include <string.h>

const char *const branch_columns[BRANCH_COLUMNS] = {
	[BRANCH_PARENT] = "parent", [BRANCH_PROGRAM] = "program", [BRANCH_PROCESSES] = "processes",
	[BRANCH_CPU_SECONDS] = "cpu_seconds", [BRANCH_PEAK_RSS_BYTES] = "peak_rss_bytes", [BRANCH_BRANCHES] = "branches",
};

/* A branch, or what stands for a parent that is none: PARENT_UNKNOWN first, then PARENT_NONE, then `all`. */
enum { OUTSIDE = 2 };

struct node {
	double cpu_seconds;                     /* with all below it */
	size_t place;                           /* in `all`, for sorting */
	size_t children;                        /* with a use, and not chosen */
	int    row;                             /* of the result: its own, or the one that it is merged in; -1: none */
	int    others;                          /* of the result: what is merged below it; -1: nothing */
	bool   used, chosen;
};

static size_t above(const struct program_branch *b)
{
	return (size_t)(b->parent + OUTSIDE);
}

/* Largest first; of equal ones the first, so a parent comes before its children. */
static int compare_nodes(const void *a, const void *b)
{
	const struct node *const *x = a, *const *y = b;

	if ((*x)->cpu_seconds != (*y)->cpu_seconds)
		return (*x)->cpu_seconds < (*y)->cpu_seconds ? 1 : -1;
	return (*x)->place < (*y)->place ? -1 : 1;
}

/* Sums up from the leaves.  Returns the number of branches with a use. */
static size_t sum_up(struct node *node, const struct program_branch *all, size_t n)
{
	size_t used = 0;

	for (size_t i = n; i-- > 0;) {
		struct node *own = &node[i + OUTSIDE], *parent = &node[above(&all[i])];

		own->place = i;
		own->cpu_seconds += all[i].cpu_seconds;
		own->used |= all[i].processes > 0 || all[i].cpu_seconds > 0 || all[i].largest_bytes > 0;
		if (!own->used)
			continue;
		parent->used = true;
		parent->children++;
		parent->cpu_seconds += own->cpu_seconds;
		used++;
	}
	return used;
}

static size_t any(size_t n)
{
	return n > 0 ? 1 : 0;
}

/* Chooses branches while they, and a row for what is left below each, have room. */
static void choose(struct node **order, size_t used, struct node *node, const struct program_branch *all)
{
	size_t rows = any(node[0].children) + any(node[1].children);

	for (size_t k = 0; k < used; k++) {
		struct node *parent = &node[above(&all[order[k]->place])];

		rows += 1 + any(order[k]->children) - any(parent->children == 1);
		if (rows > BRANCH_MAX)
			return;
		parent->children--;
		order[k]->chosen = true;
	}
}

static void merge(struct program_branch *into, const struct program_branch *b)
{
	if (into->branches++ == 0)
		memcpy(into->name, b->name, sizeof into->name);
	else
		into->name[0] = '\0';
	into->cpu_seconds += b->cpu_seconds;
	into->processes = add_known(into->processes, b->processes);
	if (!is_none(b->largest_bytes) && !(into->largest_bytes >= b->largest_bytes))
		into->largest_bytes = b->largest_bytes;
}

static int new_row(struct program_tree *ret, int parent)
{
	ret->at[ret->n] = (struct program_branch){ .parent = parent, .processes = NONE, .largest_bytes = NONE };
	return (int)ret->n++;
}

static void write_rows(struct program_tree *ret, struct node *node, const struct program_branch *all, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct node *own = &node[i + OUTSIDE], *parent = &node[above(&all[i])];

		if (own->chosen)
			own->row = new_row(ret, parent->row);
		else if (!own->used)
			continue;
		else if (parent->chosen && parent->others < 0)
			own->row = parent->others = new_row(ret, parent->row);
		else
			own->row = parent->chosen ? parent->others : parent->row;
		merge(&ret->at[own->row], &all[i]);
	}
}

int program_tree_choose(struct program_tree *ret, const struct program_branch *all, size_t n)
{
	struct node *node = calloc(n + OUTSIDE, sizeof *node), **order = calloc(n + 1, sizeof(struct node *));
	int r = node && order ? 0 : -ENOMEM;
	size_t k = 0;

	ret->n = 0;
	if (r == 0) {
		size_t used = sum_up(node, all, n);

		for (size_t i = 0; i < n + OUTSIDE; i++)
			node[i].others = -1;
		for (size_t i = 0; i < n; i++)
			if (node[i + OUTSIDE].used)
				order[k++] = &node[i + OUTSIDE];
		qsort(order, used, sizeof(struct node *), compare_nodes);
		choose(order, used, node, all);
		node[0].row = PARENT_UNKNOWN;
		node[1].row = PARENT_NONE;
		node[0].chosen = node[1].chosen = true;
		write_rows(ret, node, all, n);
	}
	free(node);
	free(order);
	return r;
}
