/*
 * metrics.h - metrics.def as data, for code that handles all metrics alike: writers, record, summary, library,
 * documentation.  Such code walks tables[] and never names a metric.
 */
#ifndef RT_METRICS_H
#define RT_METRICS_H

#include "sample.h"

enum unit  { UNIT_BYTES, UNIT_SECONDS, UNIT_CORES, UNIT_COUNT, UNIT_PERCENT,
	     UNIT_WATTS, UNIT_JOULES, UNIT_CELSIUS, UNIT_HERTZ };
enum kind  { KIND_LEVEL, KIND_AMOUNT, KIND_COUNTER, KIND_FIXED };
enum table {
	TABLE_TOTAL,                            /* one row; its metrics are in groups */
#define TABLE(name, NAME, json, help) TABLE_##NAME,
#include "tables.def"
	TABLE_COUNT,
#define TABLE(name, NAME, json, help) TABLE_##name = TABLE_##NAME,      /* for lists that spell the name */
#include "tables.def"
};

struct metric {
	const char *group;                      /* "cpu"; for tables with rows the table's name */
	const char *name;                       /* "utilization_cores" */
	enum unit   unit;
	enum kind   kind;
	int         decimals;                   /* digits after the point that are written */
	size_t      offset;                     /* of the double in the row */
	const char *help;
};

/* The metrics of TABLE_TOTAL by name; tables[TABLE_TOTAL].metrics[METRIC_... - 1]. */
enum total_metric {
	METRIC_NONE,
#define TOTAL(group, name, ...) METRIC_##group##_##name,
#include "metrics.def"
};

struct label {                                  /* a text of a row: what it is, not how much */
	const char *group;                      /* as a metric's */
	const char *name;
	size_t      offset, size;               /* of the char array in the row */
	const char *help;
};

struct table_info {
	const char          *name;              /* "disk" */
	const char          *json, *help;       /* from tables.def */
	const struct metric *metrics;
	size_t               n_metrics;
	const struct label  *labels;
	size_t               n_labels;
	size_t               stride, max;       /* size of a row; most rows */
	size_t               first;             /* offset of row 0 in struct sample */
	size_t               count, left_out;   /* offsets of the size_t that count rows; 0: always one row */
	size_t               key_size;          /* of a row's key */
};

extern const struct table_info tables[TABLE_COUNT];

/* The groups of TABLE_TOTAL, in their order; the names are static.  Returns their number. */
enum { METRIC_GROUPS_MAX = 16 };
size_t metric_groups(const char *ret[METRIC_GROUPS_MAX]);

/* Makes the key and the texts of a row "", its metrics NONE.  The metrics are the last members of a row, in order. */
void row_clear(enum table t, void *row);

/* As sample_add_<table> of sample.h, NULL too; not for TABLE_TOTAL. */
void *sample_add_row(struct sample *s, enum table t, const char *key);

/* A view of a sample, valid as long as the sample is unchanged. */
struct rows { const char *first; size_t n, stride; };

/* i of the following functions is less than n. */
struct rows sample_rows(const struct sample *s, enum table t);
const char *row_key(struct rows rows, size_t i);        /* "" in TABLE_TOTAL */
double      row_value(struct rows rows, size_t i, const struct metric *m);
const char *row_label(struct rows rows, size_t i, const struct label *l);
/* The row with this key, searched from `hint` on (rows rarely move); -1: none. */
ptrdiff_t   row_find(struct rows rows, const char *key, size_t hint);

const char *unit_name(enum unit u);             /* "bytes" */
const char *kind_name(enum kind k);             /* "level" */

#endif
