/* branches.c - the tree by program and by what started it: CPU time and processes are counted here. */
#include "accounting_state.h"

#include <string.h>

static uint16_t find(const struct branch_table *b, uint16_t above, uint16_t program)
{
	uint16_t i = b->at[above].below;

	while (i && b->at[i].program != program)
		i = b->at[i].beside;
	return i;
}

static uint16_t add(struct branch_table *b, uint16_t above, uint16_t program)
{
	uint16_t i = (uint16_t)b->n++;

	b->at[i] = (struct branch){ .program = program, .above = above, .beside = b->at[above].below };
	b->at[above].below = i;
	return i;
}

/* The last places are for the programs that find none: at most one for each. */
static uint16_t branch_below(struct accounts *a, uint16_t above, uint16_t program)
{
	struct branch_table *b = &a->branches;
	uint16_t i = find(b, above, program);

	if (i)
		return i;
	if (b->n < PLACES)
		return add(b, above, program);
	b->full = true;
	i = find(b, BRANCH_UNKNOWN, program);
	return i ? i : add(b, BRANCH_UNKNOWN, program);
}

uint16_t branch_of_child(struct accounts *a, uint16_t parent)
{
	return parent < BRANCHES_FIRST ? parent : branch_below(a, parent, a->branches.at[parent].program);
}

uint16_t branch_named(struct accounts *a, uint16_t branch, const char *comm)
{
	const struct branch_table *b = &a->branches;
	uint16_t above = branch < BRANCHES_FIRST ? branch : b->at[branch].above;

	if (!comm[0])
		return branch;
	for (uint16_t i = b->at[above].below; i; i = b->at[i].beside)
		if (strcmp(program_of(a, i)->comm, comm) == 0)
			return i;
	return branch_below(a, above, program_named(a, comm));
}

uint64_t branch_count_cpu(struct branch *b, uint64_t *counted_ns, uint64_t now_ns)
{
	uint64_t gain = now_ns > *counted_ns ? now_ns - *counted_ns : 0;

	*counted_ns += gain;
	b->gained.cpu_ns += gain;
	return gain;
}

void branch_count_start(struct accounts *a, uint16_t branch)
{
	a->branches.at[branch].gained.started++;
}

void branch_count_end(struct accounts *a, uint16_t branch)
{
	a->branches.at[branch].gained.ended++;
}

void branch_count_ended_cpu(struct accounts *a, uint16_t branch, uint64_t *counted_ns, uint64_t cpu_ns,
			    uint32_t threads)
{
	struct branch *b = &a->branches.at[branch];
	uint64_t unseen = branch_count_cpu(b, counted_ns, cpu_ns);

	a->unseen_ns += unseen;
	if (unseen > 0) {
		b->gained.unseen += threads;
		b->gained.unseen_ns += unseen;
	}
}

void branch_count_missing(struct accounts *a, uint16_t branch, uint64_t missing_ns)
{
	a->branches.at[branch].gained.missing_ns += missing_ns;
	a->unread_ns += missing_ns;
}

static int parent_of(uint16_t branch, uint16_t above)
{
	uint16_t up = branch < BRANCHES_FIRST ? branch : above;

	return up == BRANCH_TOP ? PARENT_NONE : up == BRANCH_UNKNOWN ? PARENT_UNKNOWN : up;
}

int accounts_program_tree(const struct accounts *a, struct program_tree *ret)
{
	struct program_branch *all = calloc(a->branches.n, sizeof *all);
	int r = -ENOMEM;

	ret->n = 0;
	for (size_t i = 0; all && i < a->branches.n; i++) {
		const struct branch *b = &a->branches.at[i];
		const char *name = program_of(a, (uint16_t)i)->comm;

		all[i] = (struct program_branch){
			.parent = parent_of((uint16_t)i, b->above), .cpu_seconds = (double)b->cpu_ns / 1e9,
			.processes = a->tracked->followed ? (double)b->started : NONE,
			.largest_bytes = b->largest > 0 ? (double)b->largest : NONE,
		};
		memcpy(all[i].name, name, strnlen(name, sizeof all[i].name - 1));
	}
	if (all)
		r = program_tree_choose(ret, all, a->branches.n);
	ret->full = a->branches.full;
	free(all);
	return r;
}
