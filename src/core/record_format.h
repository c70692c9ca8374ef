/*
 * record_format.h - what writer and reader of the run record agree on.  docs/record-format.md is the
 * contract with everybody else.
 */
#ifndef RT_RECORD_FORMAT_H
#define RT_RECORD_FORMAT_H

#include "aggregate.h"

enum { RECORD_VERSION = 1, RECORD_NAME_SIZE = 96 };

/* Whether a metric is a column of rows: levels and amounts are, what is fixed is told apart. */
static inline bool record_column(const struct metric *m)
{
	return m->kind == KIND_LEVEL || m->kind == KIND_AMOUNT;
}

/* Tables that rows speak of. */
static inline bool record_table(enum table t)
{
	return t != TABLE_TOTAL && t != TABLE_COLLECTOR;
}

/* Rows of a table that can be numbered at a time. */
static inline size_t record_numbers(enum table t)
{
	return size_max(tables[t].max, AGGREGATE_ROWS_MAX);
}

#endif
