/* fleet_result.h - the answer of a store: named columns and rows, for people and as JSON. */
#ifndef RT_FLEET_RESULT_H
#define RT_FLEET_RESULT_H

#include "../core/arena.h"
#include "../core/json_write.h"
#include "fleet_columns.h"

struct fleet_result {                           /* zeroed initially; released after an error too */
	struct arena arena;                     /* of the texts */
	struct fleet_columns columns;           /* texts and numbers */
	union value *values;                    /* row by row */
	size_t n_rows, room;
};

/* A row to be filled; NULL: out of memory.  The columns are known by then. */
union value *fleet_result_row(struct fleet_result *r);
union value  fleet_result_at(const struct fleet_result *r, size_t row, size_t column);
void         fleet_result_release(struct fleet_result *r);

/*
 * Appends a table for people.  A column's unit is the end of its name: _bytes, _seconds, _cores, _share (0 to 1, shown
 * in percent); columns beyond the ninth are left out.
 */
void fleet_result_text(struct buffer *out, const struct fleet_result *r);
/* The words of its head and of its cells: "median_memory_bytes" is "MEDIAN MEMORY"; unknown is "unknown". */
void fleet_result_title(struct buffer *out, const char *name);
void fleet_result_cell(struct buffer *out, const struct fleet_column *column, union value value);
/* Appends an array with an object for each row, one a line; unknown is null. */
void fleet_result_json(struct buffer *out, const struct fleet_result *r);
void fleet_result_rows(struct json *j, const struct fleet_result *r);   /* the same array as a value of a larger one */

#endif
