/* common_branches.c - the trees of programs of several runs, on branches that all have in common. */
#include "common_branches.h"

#include <string.h>

#include "../text/human.h"

/* A branch while the trees are read: those directly below one are a list. */
struct node {
	struct common_branch b;
	int    first, next;                     /* below it; beside it; -1: none */
	int    others;                          /* below it: those that are merged; -1: none */
	int    into;                            /* the others that it is among; -1: it stands for itself */
	int    place;                           /* in the result */
	double weight;                          /* CPU time of all runs, with all below */
};

struct forest {
	struct node *at;
	size_t n, room, runs;
	struct node top;                        /* above those without a parent */
};

static struct node *node_at(struct forest *f, int i)
{
	return i < 0 ? &f->top : &f->at[i];
}

static struct node empty_node(int parent, enum branch_kind kind, const char *name)
{
	struct node node = {
		.b = { .parent = parent, .kind = kind }, .first = -1, .next = -1, .others = -1, .into = -1,
	};

	(void)memcpy(node.b.name, name, strnlen(name, sizeof node.b.name - 1));
	return node;
}

static int add(struct forest *f, int parent, enum branch_kind kind, const char *name)
{
	struct node node = empty_node(parent, kind, name), *above;
	int i = (int)f->n;

	if (f->n == f->room) {
		struct node *at = reallocarray(f->at, f->room * 2 + 64, sizeof *at);

		if (!at)
			return -ENOMEM;
		f->at = at;
		f->room = f->room * 2 + 64;
	}
	node.b.in = calloc(f->runs, sizeof *node.b.in);
	if (!node.b.in)
		return -ENOMEM;
	for (size_t run = 0; run < f->runs; run++)
		node.b.in[run] = (struct branch_use){ .processes = NONE, .largest_bytes = NONE };
	above = node_at(f, parent);
	node.next = above->first;
	above->first = i;
	if (kind == KIND_OTHERS)
		above->others = i;
	f->at[f->n++] = node;
	return i;
}

static int find_or_add(struct forest *f, int parent, enum branch_kind kind, const char *name)
{
	int i = node_at(f, parent)->first;

	while (i >= 0 && (f->at[i].b.kind != kind || strcmp(f->at[i].b.name, name) != 0))
		i = f->at[i].next;
	return i >= 0 ? i : add(f, parent, kind, name);
}

static void add_use(struct branch_use *to, const struct branch_use *u)
{
	to->seen = true;
	to->processes = add_known(to->processes, u->processes);
	to->cpu_seconds += u->cpu_seconds;
	if (!is_none(u->largest_bytes) && !(to->largest_bytes >= u->largest_bytes))
		to->largest_bytes = u->largest_bytes;
}

static int add_tree(struct forest *f, const struct program_tree *tree, size_t run, bool *ret_counts)
{
	int place[BRANCH_MAX];
	bool counts = !tree->full;

	for (size_t i = 0; i < tree->n; i++) {
		const struct program_branch *b = &tree->at[i];
		bool merged = b->branches > 1;
		int above = b->parent >= 0 ? place[b->parent] : -1;

		if (b->parent == PARENT_UNKNOWN) {
			above = find_or_add(f, -1, KIND_NO_PARENT, "");
			if (above < 0)
				return above;
			f->at[above].b.in[run].seen = true;
		}
		place[i] = find_or_add(f, above, merged ? KIND_OTHERS : KIND_PROGRAM, merged ? "" : b->name);
		if (place[i] < 0)
			return place[i];
		counts = counts && !is_none(b->processes);
		add_use(&f->at[place[i]].b.in[run], &(struct branch_use){
			.processes = b->processes, .cpu_seconds = add_known(b->cpu_seconds, 0),
			.largest_bytes = b->largest_bytes,
		});
	}
	*ret_counts = counts;
	return 0;
}

/* A run without it has others at its place, and it may be one of them. */
static bool may_be_merged(const struct forest *f, const struct node *node, const struct node *others)
{
	for (size_t run = 0; run < f->runs; run++)
		if (!node->b.in[run].seen && others->b.in[run].seen)
			return true;
	return false;
}

/* Parents come before those below them. */
static void choose_others(struct forest *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct node *node = &f->at[i], *above = node_at(f, node->b.parent);

		if (above->into >= 0)
			node->into = above->into;
		else if (node->b.kind != KIND_OTHERS && above->others >= 0 &&
			 may_be_merged(f, node, &f->at[above->others]))
			node->into = above->others;
	}
}

/* Returns how many programs are among others now. */
static size_t fold(struct forest *f)
{
	size_t folded = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct node *node = &f->at[i];

		if (node->into < 0)
			continue;
		folded += node->b.kind == KIND_PROGRAM;
		for (size_t run = 0; run < f->runs; run++)
			if (node->b.in[run].seen)
				add_use(&f->at[node->into].b.in[run], &node->b.in[run]);
	}
	return folded;
}

static void sum_up(struct forest *f)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t run = 0; run < f->runs; run++)
			f->at[i].b.in[run].with_below = f->at[i].b.in[run].cpu_seconds;
	for (size_t i = f->n; i-- > 0;) {
		struct node *node = &f->at[i];

		for (size_t run = 0; node->into < 0 && run < f->runs; run++) {
			node->weight += node->b.in[run].with_below;
			if (node->b.parent >= 0)
				f->at[node->b.parent].b.in[run].with_below += node->b.in[run].with_below;
		}
	}
}

/* Smallest first; of equal ones the last. */
static int by_weight(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a, *y = *(const struct node *const *)b;

	return x->weight != y->weight ? x->weight < y->weight ? -1 : 1 : x < y ? 1 : -1;
}

/* Makes the lists anew: those that stand for themselves, the largest first. */
static int sort(struct forest *f)
{
	struct node **order = calloc(f->n + 1, sizeof(struct node *));

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < f->n; i++) {
		order[i] = &f->at[i];
		f->at[i].first = -1;
	}
	f->top.first = -1;
	qsort(order, f->n, sizeof(struct node *), by_weight);
	for (size_t k = 0; k < f->n; k++) {
		struct node *above = node_at(f, order[k]->b.parent);

		if (order[k]->into >= 0)
			continue;
		order[k]->next = above->first;
		above->first = (int)(order[k] - f->at);
	}
	free(order);
	return 0;
}

/* Moves each branch to the result, followed by those below it. */
static void move(struct common_branches *to, struct forest *f)
{
	int i = f->top.first;

	while (i >= 0) {
		struct node *node = &f->at[i];
		struct common_branch *b = &to->at[to->n];

		*b = node->b;
		node->b.in = NULL;
		b->parent = b->parent >= 0 ? f->at[b->parent].place : -1;
		b->level = b->parent >= 0 ? to->at[b->parent].level + 1 : 0;
		node->place = (int)to->n++;
		for (i = node->first; i < 0 && node; node = node->b.parent >= 0 ? &f->at[node->b.parent] : NULL)
			i = node->next;
	}
}

int common_branches_read(struct common_branches *ret, const struct program_tree *const *trees, size_t n)
{
	struct common_branches c = { .runs = n, .counts = calloc(n + 1, sizeof(bool)) };
	struct forest f = { .runs = n, .top = empty_node(-1, KIND_NO_PARENT, "") };
	int r = c.counts ? 0 : -ENOMEM;

	for (size_t run = 0; r == 0 && run < n; run++)
		r = add_tree(&f, trees[run], run, &c.counts[run]);
	if (r == 0) {
		choose_others(&f);
		c.folded = fold(&f);
		sum_up(&f);
		r = sort(&f);
	}
	if (r == 0) {
		c.at = calloc(f.n + 1, sizeof *c.at);
		r = c.at ? 0 : -ENOMEM;
	}
	if (r == 0)
		move(&c, &f);
	for (size_t i = 0; i < f.n; i++)
		free(f.at[i].b.in);
	free(f.at);
	if (r < 0)
		common_branches_release(&c);
	else
		*ret = c;
	return r;
}

void common_branches_release(struct common_branches *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->at[i].in);
	free(c->at);
	free(c->counts);
	*c = (struct common_branches){ .n = 0 };
}

void common_branch_name(struct buffer *out, const struct common_branch *b)
{
	if (b->kind == KIND_OTHERS)
		buffer_text(out, "others");
	else if (b->kind == KIND_NO_PARENT)
		buffer_text(out, "(parent unknown)");
	else if (b->name[0])
		human_word(out, b->name, strlen(b->name), true);
	else
		buffer_text(out, "(no name)");
}

void common_branch_path(struct buffer *out, const struct common_branches *c, size_t i)
{
	int path[BRANCH_MAX + 1];
	size_t n = 0;

	for (int at = (int)i; at >= 0; at = c->at[at].parent)
		path[n++] = at;
	while (n-- > 0) {
		common_branch_name(out, &c->at[path[n]]);
		if (n > 0)
			buffer_char(out, '/');
	}
}
