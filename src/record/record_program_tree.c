/* record_program_tree.c - which program started which, in the end line of a run record. */
#include "record_lines.h"

enum { CPU_DECIMALS = 9 };                      /* nanoseconds: sums over branches are those of the programs */

static void branch(struct json *j, const struct program_branch *b)
{
	json_open(j, '[');
	json_number(j, b->parent == PARENT_UNKNOWN ? NONE : b->parent, 0);
	if (b->name[0])
		json_text(j, b->name);
	else
		json_null(j);
	json_number(j, b->processes, 0);
	json_number(j, b->cpu_seconds, CPU_DECIMALS);
	json_number(j, b->largest_bytes, 0);
	json_number(j, b->branches, 0);
	json_close(j, ']');
}

void record_program_tree(struct json *j, const struct program_tree *tree)
{
	if (tree->n == 0)
		return;
	json_member_open(j, "program_tree", '{');
	json_member_open(j, "columns", '[');
	for (size_t i = 0; i < BRANCH_COLUMNS; i++)
		json_word(j, branch_columns[i]);
	json_close(j, ']');
	json_member_open(j, "branches", '[');
	for (size_t i = 0; i < tree->n; i++)
		branch(j, &tree->at[i]);
	json_close(j, ']');
	json_member_bool(j, "full", tree->full);
	json_close(j, '}');
}
