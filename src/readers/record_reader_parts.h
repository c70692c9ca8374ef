/* record_reader_parts.h - the state of a record reader, and functions shared by its files. */
#ifndef RT_RECORD_READER_PARTS_H
#define RT_RECORD_READER_PARTS_H

#include "../core/file_time.h"
#include "../core/json_read.h"
#include "../core/outline.h"
#include "../core/program_tree.h"
#include "../core/record_format.h"
#include "../core/tree_exit.h"
#include "../core/why.h"
#include "record_facts.h"
#include "record_sentences.h"
#include "record_source.h"

enum { ROW_COLUMNS_MAX = 64, COLUMNS_MAX = 4096 };
enum { ROW_TOTALS = 5 };                        /* so many items of a row have its totals, and what they are of */

struct row_column { const struct metric *metric; bool level; };

struct record_table {
	struct row_column columns[ROW_COLUMNS_MAX];
	size_t n_columns;
	char  *rows;                            /* by number; an empty key: not named yet */
	size_t n_rows;
};

struct record_reader {
	char *name;
	struct record_source source;
	struct record_facts facts;
	struct record_sentences notices, problems;
	char *texts;                            /* texts of the header, which facts.run points to */
	size_t texts_used;
	char **command;
	const char **tags;
	pid_t *pids;
	struct job job;

	struct record_column *columns;
	double *values;                         /* by column */
	size_t n_columns, columns_known;
	struct record_table tables[TABLE_COUNT];
	struct totals fixed;

	struct sample *sample, *maxima, *sums;  /* NULL before the first such row */
	size_t samples;
	bool has_maxima, has_sums, partial;
	bool totals_alone;                      /* the rest of a row is not read */
	bool held;                              /* sample is a partial row, which no later row has replaced so far */
	double start_after_boot_seconds;        /* NONE: unknown */
	struct tree_exit exit;
	struct region_event region;
	struct moment *moments;
	size_t n_moments;
	struct aggregate *totals;
	struct outline outline;                 /* of the rows so far, or from the end line */
	struct program_tree programs;
	bool over;
};

/* Adds a sentence "FILE:LINE: ..." to the problems. */
void record_problem(struct record_reader *r, const char *format, ...) printf_like(2, 3);

/*
 * Each reads one line, or a part of it, into r, and leaves out what it does not understand.  -errno: all of it is left
 * out, which the caller makes a problem; of record_read_header with a sentence, and there is nothing to read.
 */
int  record_read_header(struct record_reader *r, struct json_value line, struct why *why) must_use;
void record_read_end(struct record_reader *r, struct json_value end);
void record_read_regions(struct record_reader *r, struct json_value end);
void record_read_outline(struct record_reader *r, struct json_value end);
void record_read_program_tree(struct record_reader *r, struct json_value end);
/* Reads an entry, mark or value into r->region.  false: the line has none, or it is invalid. */
bool record_read_region_event(struct record_reader *r, struct json_value line);

int  record_read_columns(struct record_reader *r, struct json_value columns) must_use;
void record_read_table_columns(struct record_reader *r, struct json_value tables);
void record_read_fixed(struct record_reader *r, struct json_value fixed);
int  record_read_rows(struct record_reader *r, struct json_value rows) must_use;
int  record_read_row(struct record_reader *r, struct json_value row) must_use;

void record_read_last_minute(struct record_reader *r, struct json_value last_minute);

/* The metric of the totals with this name ("cpu.utilization_cores"); NULL: none. */
const struct metric *record_metric(struct json_value name);
/* The metric of a table's rows with this name; NULL: none. */
const struct metric *record_row_metric(enum table t, struct json_value name);

/* A number from outside as a count; 0 if it is not positive or too large. */
uint64_t record_count(double n);

#endif
