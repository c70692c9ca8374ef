/*
 * record_format.h - definitions that writer and reader of the run record share.  docs/reference/record-format.md
 * is the contract for other programs.
 */
#ifndef RT_RECORD_FORMAT_H
#define RT_RECORD_FORMAT_H

#include <stddef.h>
#include <string.h>

#include "aggregate.h"
#include "run.h"

enum { RECORD_VERSION = 1, RECORD_NAME_SIZE = 96 };

/* Whether a metric is a column of rows: levels and amounts are, fixed ones are written apart. */
static inline bool record_column(const struct metric *m)
{
	return m->kind == KIND_LEVEL || m->kind == KIND_AMOUNT;
}

/* Tables with rows in the record. */
static inline bool record_table(enum table t)
{
	return t != TABLE_TOTAL && t != TABLE_COLLECTOR;
}

/* The columns of a point of the last minute, in order. */
static const struct { const char *name; size_t offset; int decimals; } record_moment_columns[] = {
	{ "t", offsetof(struct moment, seconds), 6 },
	{ "cpu_seconds", offsetof(struct moment, cpu_seconds), 6 },
	{ "rss_bytes", offsetof(struct moment, rss_bytes), 0 },
	{ "processes", offsetof(struct moment, processes), 0 },
	{ "available_bytes", offsetof(struct moment, available_bytes), 0 },
	{ "memory_stall_seconds", offsetof(struct moment, memory_stall_seconds), 6 },
};

static inline double record_moment_value(const struct moment *m, size_t column)
{
	double value;

	memcpy(&value, (const char *)m + record_moment_columns[column].offset, sizeof value);
	return value;
}

/* Rows of a table that can have numbers at one time: the largest number of keys of a reader or writer. */
static inline size_t record_numbers(enum table t)
{
	return size_max(tables[t].max, AGGREGATE_ROWS_MAX);
}

#endif
