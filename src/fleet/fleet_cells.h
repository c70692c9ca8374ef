/*
 * fleet_cells.h - a table's columns, and the values of a row, put by the same calls, so that they cannot differ.
 */
#ifndef RT_FLEET_CELLS_H
#define RT_FLEET_CELLS_H

#include "../core/arena.h"
#include "../core/buffer.h"
#include "fleet_columns.h"

struct cells {                                  /* one of columns and values is NULL */
	struct fleet_columns *columns;          /* get the next column */
	union value *values;                    /* FLEET_COLUMNS_MOST; values[n] gets the next value */
	struct arena *arena;                    /* of the texts of the values */
	size_t n;
	bool failed;                            /* out of memory */
};

/* The name of a column is `name`, or first_second.  A text is copied as valid UTF-8; NULL is "". */
void cell_number(struct cells *c, const char *name, double number);     /* what is not finite is NONE */
void cell_number_of(struct cells *c, const char *first, const char *second, double number);
void cell_integer(struct cells *c, const char *name, int64_t integer);
void cell_text(struct cells *c, const char *name, const char *text);
void cell_text_of(struct cells *c, const char *first, const char *second, const char *text);
void cell_buffer(struct cells *c, const char *name, struct buffer *text);       /* which it releases */

#endif
