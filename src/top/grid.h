/* grid.h - a table on the screen: titles, and a line for each row.  Pure. */
#ifndef RT_GRID_H
#define RT_GRID_H

#include "../core/buffer.h"
#include "cells.h"

enum { GRID_COLUMNS_MOST = 12 };

/* put: appends the text of a row, nothing for what is unknown.  order: by its title; -1: none. */
struct grid_column {
	const char *title;                      /* at most 16 bytes */
	unsigned width;                         /* 0, of at most one column: what is left */
	int  order;
	bool left;
	void (*put)(struct buffer *out, const void *row);
};

/* The table at one moment. */
struct grid {
	const struct grid_column *column;
	size_t n_columns;                       /* at most GRID_COLUMNS_MOST */
	const void *row;                        /* n of them, each of `stride` bytes, sorted */
	size_t n, stride, from;                 /* from: the first one that is shown */
	int    order;
	bool   reversed, utf8, chosen;          /* chosen: keys move this table */
	size_t marked;                          /* a row that is marked; SIZE_MAX: none */
	enum tint (*tint)(const void *row);     /* NULL: all are plain */
};

/* As many columns as there is room for.  A cell for which memory is short stays blank. */
void grid_draw(struct cells *c, struct area a, const struct grid *g);
/* The order of the title at a column of the screen; -1: none. */
int  grid_order_at(struct area a, const struct grid_column *column, size_t n, unsigned at);

#endif
