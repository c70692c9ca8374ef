/* entries.c - programs and processes as rows: their columns and their order. */
#include "entries.h"

#include <string.h>

#include "../core/sample.h"
#include "../text/human.h"

enum { GAP = 1, NAME_LEAST = 12 };

/* A column: its title, its width (0: what is left), the order by it (ORDER_COUNT: none), and its text. */
struct title {
	const char *text;
	unsigned width;
	enum order order;
	bool left;
	void (*put)(struct buffer *out, const struct entry *e);
};

static void put_name(struct buffer *out, const struct entry *e) { buffer_text(out, e->name); }
static void put_pid(struct buffer *out, const struct entry *e) { buffer_i64(out, e->pid); }
static void put_state(struct buffer *out, const struct entry *e) { buffer_char(out, e->state); }

static void put_count(struct buffer *out, const struct entry *e)
{
	if (!is_none(e->count))
		buffer_fixed(out, e->count, 0);
}

static void put_cores(struct buffer *out, const struct entry *e)
{
	if (!is_none(e->cores))
		human_cores(out, e->cores);
}

static void put_bytes(struct buffer *out, const struct entry *e)
{
	if (!is_none(e->bytes))
		human_bytes(out, e->bytes);
}

static void put_disk(struct buffer *out, const struct entry *e)
{
	if (is_none(e->disk_bytes_per_second))
		return;
	human_bytes(out, e->disk_bytes_per_second);
	buffer_text(out, "/s");
}

static void put_time(struct buffer *out, const struct entry *e)
{
	if (!is_none(e->cpu_seconds))
		human_seconds(out, e->cpu_seconds);
}

static const struct title of_programs[] = {
	{ "PROGRAM", 0, ORDER_NAME, true, put_name }, { "PROCS", 6, ORDER_NUMBER, false, put_count },
	{ "CPU", 6, ORDER_CPU, false, put_cores }, { "MEMORY", 9, ORDER_MEMORY, false, put_bytes },
	{ "DISK", 11, ORDER_DISK, false, put_disk }, { "CPU TIME", 11, ORDER_COUNT, false, put_time },
};
static const struct title of_processes[] = {
	{ "PID", 8, ORDER_NUMBER, false, put_pid }, { "PROCESS", 0, ORDER_NAME, true, put_name },
	{ "S", 1, ORDER_COUNT, true, put_state }, { "THR", 5, ORDER_COUNT, false, put_count },
	{ "CPU", 6, ORDER_CPU, false, put_cores }, { "MEMORY", 9, ORDER_MEMORY, false, put_bytes },
	{ "DISK", 11, ORDER_DISK, false, put_disk }, { "CPU TIME", 11, ORDER_COUNT, false, put_time },
};

static const struct titles { const struct title *at; size_t n; } titles[] = {
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

	if (n > 1)
		qsort_r(e, n, sizeof *e, compare, &by);
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Where the columns begin, and their widths.  Returns how many there is room for, from the left on. */
enum { COLUMNS_MOST = 8 };
struct places { unsigned at[COLUMNS_MOST], width[COLUMNS_MOST]; };

static size_t place(struct places *ret, unsigned columns, enum entry_kind kind)
{
	const struct titles *t = &titles[kind];
	unsigned fixed = 0, at = 0;
	size_t n = 0;

	/* As many from the left on as leave a name its room. */
	for (; n < t->n; n++) {
		if (fixed + t->at[n].width + GAP + NAME_LEAST > columns)
			break;
		fixed += t->at[n].width + GAP;
	}
	for (size_t i = 0; i < n; i++) {
		ret->at[i] = at;
		ret->width[i] = t->at[i].width > 0 ? t->at[i].width : columns > fixed ? columns - fixed : 0;
		at += ret->width[i] + GAP;
	}
	return n;
}

static void put_cell(struct cells *c, unsigned row, unsigned column, unsigned width, const char *text, bool left,
		     bool utf8, enum tint tint)
{
	unsigned columns = text_columns(text);
	unsigned indent = left || columns >= width ? 0 : width - columns;

	(void)cells_text(c, row, column + indent, width - indent, text, utf8, tint);
}

static void draw_titles(struct cells *c, struct area a, const struct places *places, size_t n,
			const struct entries_view *v)
{
	enum tint tint = v->chosen ? TINT_HEAD : TINT_BOLD;

	for (unsigned i = 0; i < a.columns; i++)
		cells_put(c, a.row, a.column + i, ' ', tint);
	for (size_t i = 0; i < n; i++) {
		const struct title *t = &titles[v->kind].at[i];
		char text[24];
		const char *mark = t->order != v->order || t->order == ORDER_COUNT ? "" :
				   v->utf8 ? (v->reversed ? "\u2191" : "\u2193") : v->reversed ? "^" : "v";

		(void)stpcpy(stpcpy(text, t->text), mark);
		put_cell(c, a.row, a.column + places->at[i], places->width[i], text, t->left, v->utf8, tint);
	}
}

void entries_draw(struct cells *c, struct area a, const struct entries_view *v)
{
	struct places places;
	struct buffer text = { 0 };
	size_t n = place(&places, a.columns, v->kind);

	if (a.rows == 0)
		return;
	draw_titles(c, a, &places, n, v);
	for (unsigned row = 1; row < a.rows && v->from + row - 1 < v->n; row++)
		for (size_t i = 0; i < n; i++) {
			const struct title *t = &titles[v->kind].at[i];

			buffer_clear(&text);
			t->put(&text, &v->entry[v->from + row - 1]);
			buffer_char(&text, '\0');
			if (!text.failed)
				put_cell(c, a.row + row, a.column + places.at[i], places.width[i], text.at, t->left,
					 v->utf8, TINT_PLAIN);
		}
	buffer_release(&text);
}

int entries_order_at(struct area a, enum entry_kind kind, unsigned column)
{
	struct places places;
	size_t n = place(&places, a.columns, kind);

	for (size_t i = 0; i < n; i++) {
		unsigned first = a.column + places.at[i];

		/* A gap belongs to the column before it. */
		if (column >= first && column < first + places.width[i] + GAP)
			return titles[kind].at[i].order == ORDER_COUNT ? -1 : (int)titles[kind].at[i].order;
	}
	return -1;
}
