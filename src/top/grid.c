/* grid.c - a table on the screen: titles, and a line for each row. */
#include "grid.h"

#include <stdio.h>

enum { GAP = 1, REST_LEAST = 12 };

/* Where the columns begin, and their widths. */
struct places { unsigned at[GRID_COLUMNS_MOST], width[GRID_COLUMNS_MOST]; };

/* How many there is room for, from the left on, with enough for the one that takes what is left. */
static size_t place(struct places *ret, unsigned columns, const struct grid_column *column, size_t count)
{
	unsigned fixed = 0, at = 0;
	size_t n = 0;

	for (; n < count; n++) {
		if (fixed + column[n].width + GAP + REST_LEAST > columns)
			break;
		fixed += column[n].width + GAP;
	}
	for (size_t i = 0; i < n; i++) {
		ret->at[i] = at;
		ret->width[i] = column[i].width > 0 ? column[i].width : columns > fixed ? columns - fixed : 0;
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

static void fill(struct cells *c, struct area a, unsigned row, enum tint tint)
{
	for (unsigned i = 0; i < a.columns; i++)
		cells_put(c, row, a.column + i, ' ', tint);
}

static void draw_titles(struct cells *c, struct area a, const struct places *places, size_t n, const struct grid *g)
{
	enum tint tint = g->chosen ? TINT_HEAD : TINT_BOLD;

	fill(c, a, a.row, tint);
	for (size_t i = 0; i < n; i++) {
		const struct grid_column *t = &g->column[i];
		char text[24];
		const char *mark = t->order < 0 || t->order != g->order ? "" :
				   g->utf8 ? (g->reversed ? "\u2191" : "\u2193") : g->reversed ? "^" : "v";

		(void)snprintf(text, sizeof text, "%s%s", t->title, mark);
		put_cell(c, a.row, a.column + places->at[i], places->width[i], text, t->left, g->utf8, tint);
	}
}

void grid_draw(struct cells *c, struct area a, const struct grid *g)
{
	struct places places;
	struct buffer text = { 0 };
	size_t n = place(&places, a.columns, g->column, g->n_columns);

	if (a.rows == 0)
		return;
	draw_titles(c, a, &places, n, g);
	for (unsigned row = 1; row < a.rows && g->from + row - 1 < g->n; row++) {
		size_t number = g->from + row - 1;
		const void *of = (const char *)g->row + number * g->stride;
		enum tint tint = number == g->marked ? TINT_HEAD : g->tint ? g->tint(of) : TINT_PLAIN;

		if (number == g->marked)
			fill(c, a, a.row + row, tint);
		for (size_t i = 0; i < n; i++) {
			const struct grid_column *t = &g->column[i];

			buffer_clear(&text);
			t->put(&text, of);
			buffer_char(&text, '\0');
			if (!text.failed)
				put_cell(c, a.row + row, a.column + places.at[i], places.width[i], text.at, t->left,
					 g->utf8, tint);
		}
	}
	buffer_release(&text);
}

int grid_order_at(struct area a, const struct grid_column *column, size_t count, unsigned at)
{
	struct places places;
	size_t n = place(&places, a.columns, column, count);

	for (size_t i = 0; i < n; i++) {
		unsigned first = a.column + places.at[i];

		/* A gap belongs to the column before it. */
		if (at >= first && at < first + places.width[i] + GAP)
			return column[i].order;
	}
	return -1;
}
