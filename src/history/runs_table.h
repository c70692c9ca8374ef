/* runs_table.h - past runs as a table, one run a line. */
#ifndef RT_RUNS_TABLE_H
#define RT_RUNS_TABLE_H

#include "runs_columns.h"

/*
 * Appends a head and a line for each run.  which: of no columns: the usual ones.  columns: the width of the table, 0:
 * unlimited; only the command, as the last column, is cut to it.
 */
void runs_table(struct buffer *out, const struct past_run *const *runs, size_t n, const struct runs_columns *which,
		unsigned columns, bool utf8);

#endif
