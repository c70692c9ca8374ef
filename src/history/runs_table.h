/* runs_table.h - past runs as a table, one run a line. */
#ifndef RT_RUNS_TABLE_H
#define RT_RUNS_TABLE_H

#include "runs_columns.h"

/* which: of no columns: the usual ones.  columns: the width of the table, 0: unlimited. */
void runs_table(struct buffer *out, const struct past_run *const *runs, size_t n, const struct runs_columns *which,
		unsigned columns, bool utf8);

#endif
