/* entries.c - programs and processes as rows: their columns and their order. */
#include "entries.h"

#include <string.h>

#include "../core/sample.h"
#include "../text/human.h"
#include "grid.h"

enum { INDENT_MOST = 8 };

static const struct entry *entry_of(const void *row)
{
	return row;
}

static void put_name(struct buffer *out, const void *row)
{
	for (unsigned i = 0; i < entry_of(row)->level && i < INDENT_MOST; i++)
		buffer_text(out, "  ");
	buffer_text(out, entry_of(row)->name);
}

static void put_pid(struct buffer *out, const void *row) { buffer_i64(out, entry_of(row)->pid); }
static void put_state(struct buffer *out, const void *row) { buffer_char(out, entry_of(row)->state); }

static void put_count(struct buffer *out, const void *row)
{
	if (!is_none(entry_of(row)->count))
		buffer_fixed(out, entry_of(row)->count, 0);
}

static void put_cores(struct buffer *out, const void *row)
{
	if (!is_none(entry_of(row)->cores))
		human_cores(out, entry_of(row)->cores);
}

static void put_bytes(struct buffer *out, const void *row)
{
	if (!is_none(entry_of(row)->bytes))
		human_bytes(out, entry_of(row)->bytes);
}

static void put_disk(struct buffer *out, const void *row)
{
	if (is_none(entry_of(row)->disk_bytes_per_second))
		return;
	human_bytes(out, entry_of(row)->disk_bytes_per_second);
	buffer_text(out, "/s");
}

static void put_time(struct buffer *out, const void *row)
{
	if (!is_none(entry_of(row)->cpu_seconds))
		human_seconds(out, entry_of(row)->cpu_seconds);
}

static const struct grid_column of_programs[] = {
	{ "PROGRAM", 0, ORDER_NAME, true, put_name }, { "PROCS", 6, ORDER_NUMBER, false, put_count },
	{ "CPU", 6, ORDER_CPU, false, put_cores }, { "MEMORY", 9, ORDER_MEMORY, false, put_bytes },
	{ "DISK", 11, ORDER_DISK, false, put_disk }, { "CPU TIME", 11, -1, false, put_time },
};
static const struct grid_column of_processes[] = {
	{ "PID", 8, ORDER_NUMBER, false, put_pid }, { "PROCESS", 0, ORDER_NAME, true, put_name },
	{ "S", 1, -1, true, put_state }, { "THR", 5, -1, false, put_count },
	{ "CPU", 6, ORDER_CPU, false, put_cores }, { "MEMORY", 9, ORDER_MEMORY, false, put_bytes },
	{ "DISK", 11, ORDER_DISK, false, put_disk }, { "CPU TIME", 11, -1, false, put_time },
};

static const struct titles { const struct grid_column *at; size_t n; } titles[] = {
	[PROGRAMS] = { of_programs, countof(of_programs) }, [PROCESSES] = { of_processes, countof(of_processes) },
};

int order_of_key(char key)
{
	static const char keys[] = { [ORDER_CPU] = 'c', [ORDER_MEMORY] = 'm', [ORDER_DISK] = 'd',
				     [ORDER_NAME] = 'n', [ORDER_NUMBER] = 'p' };

	for (int i = 0; i < ORDER_COUNT; i++)
		if (keys[i] == key)
			return i;
	return -1;
}

/* ---- order ----------------------------------------------------------------------------------- */

struct by { enum entry_kind kind; enum order order; bool reversed; };

static int compare_numbers(double a, double b)          /* the larger first, unknown ones last */
{
	a = is_none(a) ? -1 : a;
	b = is_none(b) ? -1 : b;
	return a < b ? 1 : a > b ? -1 : 0;
}

static int compare(const void *left, const void *right, void *how)
{
	const struct entry *a = left, *b = right;
	const struct by *by = how;
	int r = 0;

	switch (by->order) {
	case ORDER_CPU: r = compare_numbers(a->cores, b->cores); break;
	case ORDER_MEMORY: r = compare_numbers(a->bytes, b->bytes); break;
	case ORDER_DISK: r = compare_numbers(a->disk_bytes_per_second, b->disk_bytes_per_second); break;
	case ORDER_NUMBER:
		r = by->kind == PROGRAMS ? compare_numbers(a->count, b->count) : (a->pid > b->pid) - (a->pid < b->pid);
		break;
	case ORDER_NAME: r = strcmp(a->name, b->name); break;
	case ORDER_COUNT: break;
	}
	if (r != 0)
		return by->reversed ? -r : r;
	r = (a->pid > b->pid) - (a->pid < b->pid);
	return r != 0 ? r : strcmp(a->name, b->name);
}

void entries_sort(struct entry *e, size_t n, enum entry_kind kind, enum order order, bool reversed)
{
	struct by by = { kind, order, reversed };

	for (size_t i = 0; i < n; i++)
		e[i].level = 0;
	if (n > 1)
		qsort_r(e, n, sizeof *e, compare, &by);
}

/* A process and its place in the list; those below it are a list of places. */
struct node { pid_t pid; int place, up, first, next; };          /* places; -1: none */

static int compare_nodes(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Links each entry to its parent.  Entries without a parent in the list are below the last node. */
static void hang(struct node *of, const struct node *by_pid, const struct entry *e, size_t n)
{
	for (size_t i = n; i-- > 0;) {
		struct node key = { .pid = e[i].parent };
		const struct node *above = bsearch(&key, by_pid, n, sizeof key, compare_nodes);

		of[i].up = above ? above->place : -1;

		struct node *parent = &of[above ? (size_t)above->place : n];

		of[i].next = parent->first;
		parent->first = (int)i;
	}
}

/* Returns how many were reached: those that seem to descend from each other, as their pids were reused, are not. */
static size_t walk(struct entry *to, const struct node *of, const struct entry *e, size_t n)
{
	unsigned level = 0;
	size_t done = 0;

	for (int at = of[n].first; at >= 0;) {
		to[done] = e[at];
		to[done++].level = level;
		if (of[at].first >= 0) {
			at = of[at].first;
			level++;
			continue;
		}
		for (; at >= 0 && of[at].next < 0; at = of[at].up)
			level -= of[at].up >= 0;
		at = at >= 0 ? of[at].next : -1;
	}
	return done;
}

void entries_tree(struct entry *e, size_t n)
{
	struct node *by_pid = calloc(n + 1, sizeof *by_pid), *of = calloc(n + 1, sizeof *of);
	struct entry *old = calloc(n + 1, sizeof *old);

	for (size_t i = 0; by_pid && of && old && i <= n; i++) {
		of[i] = (struct node){ .place = (int)i, .up = -1, .first = -1, .next = -1 };
		if (i < n)
			by_pid[i] = (struct node){ .pid = e[i].pid, .place = (int)i };
	}
	if (by_pid && of && old && n > 0) {
		memcpy(old, e, n * sizeof *e);
		qsort(by_pid, n, sizeof *by_pid, compare_nodes);
		hang(of, by_pid, old, n);
		if (walk(e, of, old, n) < n)
			memcpy(e, old, n * sizeof *e);
	}
	free(by_pid);
	free(of);
	free(old);
}

/* ---- drawing --------------------------------------------------------------------------------- */

void entries_draw(struct cells *c, struct area a, const struct entries_view *v)
{
	grid_draw(c, a, &(struct grid){
		.column = titles[v->kind].at, .n_columns = titles[v->kind].n, .row = v->entry, .n = v->n,
		.stride = sizeof *v->entry, .from = v->from, .order = (int)v->order, .reversed = v->reversed,
		.utf8 = v->utf8, .chosen = v->chosen, .marked = SIZE_MAX,
	});
}

int entries_order_at(struct area a, enum entry_kind kind, unsigned column)
{
	return grid_order_at(a, titles[kind].at, titles[kind].n, column);
}
