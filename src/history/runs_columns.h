/*
 * runs_columns.h - the columns of a list of runs: their names, and a run's value in each.
 *
 * A column is an index: one of core/run_columns.def, or COLUMN_COUNT + a quantity.
 */
#ifndef RT_RUNS_COLUMNS_H
#define RT_RUNS_COLUMNS_H

#include "../core/buffer.h"
#include "../core/scan.h"
#include "past_run.h"

enum column {
#define COLUMN(NAME, name, title, right, usual, help) COLUMN_##NAME,
#include "../core/run_columns.def"
	COLUMN_COUNT                            /* + a quantity */
};

enum { RUNS_COLUMNS_MOST = 32 };

struct runs_columns { size_t at[RUNS_COLUMNS_MOST], n; };

/* The column of this name.  -EINVAL with a sentence that names the flag. */
int  runs_column_find(size_t *ret, struct word word, const char *flag, struct why *why) must_use;
/* Reads "run,status,peak_rss".  -EINVAL with a sentence. */
int  runs_columns_read(struct runs_columns *ret, const char *list, struct why *why) must_use;
/* The columns that are shown if none are asked for: some only if one of these runs has a value there. */
void runs_columns_usual(struct runs_columns *ret, const struct past_run *const *runs, size_t n);
/* Appends all names, in lines that are not wider. */
void runs_column_names(struct buffer *out, size_t width);

bool runs_column_is_number(size_t column);      /* a number or a time, else a text */
double runs_column_number(const struct past_run *run, size_t column);   /* NONE: unknown, or a text */

/*
 * Append the head of the column, or the run's value, for people, "" if unknown.  memory: the basis of the column
 * `memory`; BASIS_COUNT: the best of the run.
 */
void runs_title(struct buffer *out, size_t column, enum basis memory);
void runs_cell(struct buffer *out, const struct past_run *run, size_t column, enum basis memory, bool utf8);

#endif
