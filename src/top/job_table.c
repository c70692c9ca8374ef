/* job_table.c - the ranks of a job as a table: its columns, and their order. */
#include "job_table.h"

#include <string.h>

#include "../text/human.h"

static const struct job_row *of(const void *row)
{
	return row;
}

static void put_rank(struct buffer *out, const void *row) { buffer_text(out, of(row)->name); }
static void put_node(struct buffer *out, const void *row) { buffer_text(out, of(row)->node); }
static void put_state(struct buffer *out, const void *row) { buffer_text(out, of(row)->state); }
static void put_region(struct buffer *out, const void *row) { buffer_text(out, of(row)->region); }

static void put_cores(struct buffer *out, const void *row)
{
	if (!is_none(of(row)->cores))
		human_cores(out, of(row)->cores);
}

static void put_bytes(struct buffer *out, const void *row)
{
	if (!is_none(of(row)->bytes))
		human_bytes(out, of(row)->bytes);
}

static void put_share(struct buffer *out, const void *row)
{
	if (!is_none(of(row)->limit_share))
		buffer_format(out, "%.0f %%", 100 * of(row)->limit_share);
}

static void put_waiting(struct buffer *out, const void *row)
{
	if (!is_none(of(row)->waiting))
		human_cores(out, of(row)->waiting);
}

/* Whole: what changes in each row each second fills a slow line. */
static void put_age(struct buffer *out, const void *row)
{
	double age = of(row)->age_seconds;

	if (!is_none(age))
		buffer_format(out, age < 600 ? "%.0f s" : age < 36000 ? "%.0f min" : "%.0f h",
			      age < 600 ? age : age < 36000 ? age / 60 : age / 3600);
}

static const struct grid_column columns[] = {
	{ "RANK", 6, JOB_BY_NUMBER, false, put_rank }, { "NODE", 0, JOB_BY_NODE, true, put_node },
	{ "CPU", 6, JOB_BY_CPU, false, put_cores }, { "MEMORY", 9, JOB_BY_MEMORY, false, put_bytes },
	{ "STATE", 9, JOB_BY_STATE, true, put_state }, { "LIMIT", 5, -1, false, put_share },
	{ "WAIT", 5, JOB_BY_WAITING, false, put_waiting }, { "AGE", 6, JOB_BY_AGE, false, put_age },
	{ "REGION", 13, -1, true, put_region },
};

int job_order_of_key(char key)
{
	static const char keys[] = {
		[JOB_BY_NUMBER] = 'r', [JOB_BY_NODE] = 'n', [JOB_BY_CPU] = 'c', [JOB_BY_MEMORY] = 'm',
		[JOB_BY_WAITING] = 'w', [JOB_BY_AGE] = 'a', [JOB_BY_STATE] = 's',
	};

	for (int i = 0; i < JOB_ORDERS; i++)
		if (keys[i] == key)
			return i;
	return -1;
}

/* ---- order ------------------------------------------------------------------------------------- */

/* The larger first, unknown ones last. */
static int descending(double a, double b)
{
	a = is_none(a) ? -1 : a;
	b = is_none(b) ? -1 : b;
	return (a < b) - (a > b);
}

static int gravity(const struct job_row *r)
{
	return r->standing == MEMBER_LOST ? 0 : r->standing == MEMBER_RUNS ? 2 : strcmp(r->state, "ok") == 0 ? 3 : 1;
}

struct by { enum job_order order; bool reversed; };

static int compare(const void *left, const void *right, void *how)
{
	const struct job_row *a = left, *b = right;
	const struct by *by = how;
	int r = 0;

	switch (by->order) {
	case JOB_BY_NODE: r = strverscmp(a->node, b->node); break;
	case JOB_BY_CPU: r = descending(a->cores, b->cores); break;
	case JOB_BY_MEMORY: r = descending(a->bytes, b->bytes); break;
	case JOB_BY_WAITING: r = descending(a->waiting, b->waiting); break;
	case JOB_BY_AGE: r = descending(a->age_seconds, b->age_seconds); break;
	case JOB_BY_STATE: r = gravity(a) - gravity(b); break;
	case JOB_BY_NUMBER: r = (a->rank > b->rank) - (a->rank < b->rank); break;
	case JOB_ORDERS: break;
	}
	if (r != 0)
		return by->reversed ? -r : r;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

void job_table_sort(struct job_row *row, size_t n, enum job_order order, bool reversed)
{
	struct by by = { order, reversed };

	if (n > 1)
		qsort_r(row, n, sizeof *row, compare, &by);
}

/* ---- drawing ------------------------------------------------------------------------------------ */

static enum tint tint_of(const void *row)
{
	static const enum tint tints[] = { TINT_BAD, TINT_BAD, TINT_PLAIN, TINT_FAINT };

	return tints[gravity(of(row))];
}

void job_table_draw(struct cells *c, struct area a, const struct job_table *t)
{
	grid_draw(c, a, &(struct grid){
		.column = columns, .n_columns = countof(columns), .row = t->row, .n = t->n, .stride = sizeof *t->row,
		.from = t->from, .order = (int)t->order, .reversed = t->reversed, .utf8 = t->utf8, .chosen = true,
		.marked = t->marked, .tint = tint_of,
	});
}

int job_table_order_at(struct area a, unsigned column)
{
	return grid_order_at(a, columns, countof(columns), column);
}
