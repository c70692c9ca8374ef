/* record_reader_program_tree.c - reads which program started which, in the end line of a record. */
#include "record_reader_parts.h"

#include <limits.h>
#include <string.h>

enum { COLUMNS_KEPT = 16 };

/* For each column the number of ours; BRANCH_COLUMNS: unknown. */
static size_t find_columns(size_t ret[COLUMNS_KEPT], struct json_value columns)
{
	struct json_walk w = json_walk(columns);
	struct json_value v;
	char name[32];
	size_t n = 0;

	for (; n < COLUMNS_KEPT && json_next(&w, NULL, &v); n++) {
		(void)json_as_text(v, name, sizeof name);
		for (ret[n] = 0; ret[n] < BRANCH_COLUMNS && strcmp(name, branch_columns[ret[n]]) != 0;)
			ret[n]++;
	}
	return n;
}

static double amount(struct json_value v)
{
	double n = json_as_number(v);

	return n >= 0 && n <= 1e18 ? n : NONE;
}

/* One of the branches before it; what is none of them is unknown. */
static int parent_of(struct json_value v, size_t before)
{
	double n = json_as_number(v);

	return n == -1 ? PARENT_NONE : n >= 0 && n < (double)before ? (int)n : PARENT_UNKNOWN;
}

static void read_value(struct program_branch *b, size_t column, struct json_value v, size_t before)
{
	switch (column) {
	case BRANCH_PARENT: b->parent = parent_of(v, before); break;
	case BRANCH_PROGRAM: (void)json_as_text(v, b->name, sizeof b->name); break;
	case BRANCH_PROCESSES: b->processes = amount(v); break;
	case BRANCH_CPU_SECONDS: b->cpu_seconds = amount(v); break;
	case BRANCH_PEAK_RSS_BYTES: b->largest_bytes = amount(v); break;
	case BRANCH_BRANCHES: b->branches = amount(v) >= 1 ? (unsigned)double_min(amount(v), UINT_MAX) : 1; break;
	default: break;
	}
}

void record_read_program_tree(struct record_reader *r, struct json_value end)
{
	struct json_value all, columns, rows, row, v;
	struct program_tree *tree = &r->programs;
	size_t column[COLUMNS_KEPT], n_columns;

	if (!json_find(end, "program_tree", &all) || !json_find(all, "columns", &columns) ||
	    !json_find(all, "branches", &rows))
		return;
	n_columns = find_columns(column, columns);
	tree->n = 0;
	tree->full = json_find(all, "full", &v) && json_as_bool(v);
	for (struct json_walk w = json_walk(rows); tree->n < BRANCH_MAX && json_next(&w, NULL, &row); tree->n++) {
		struct program_branch *b = &tree->at[tree->n];
		struct json_walk values = json_walk(row);

		*b = (struct program_branch){
			.parent = PARENT_UNKNOWN, .branches = 1, .processes = NONE, .cpu_seconds = NONE,
			.largest_bytes = NONE,
		};
		for (size_t i = 0; row.kind == JSON_ARRAY && i < n_columns && json_next(&values, NULL, &v); i++)
			read_value(b, column[i], v, tree->n);
	}
}
