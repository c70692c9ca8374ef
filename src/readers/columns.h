/*
 * columns.h - what a column or key of another tracker's file is, in our metrics and units: layouts.def (what we write,
 * too) and foreign.def read backwards.
 */
#ifndef RT_COLUMNS_H
#define RT_COLUMNS_H

#include "../core/metrics.h"
#include "../core/scan.h"

enum column_family { FAMILY_OURS, FAMILY_PYTHON_MIB, FAMILY_PYTHON_KIB, FAMILY_PYTHON_TICKS, FAMILY_MONITOR };
enum column_scope { SCOPE_MACHINE, SCOPE_TREE };
enum column_how { HOW_ROW, HOW_TOTAL, HOW_SHARE };

struct column {
	size_t offset;                          /* of the metric in its row */
	double scale;                           /* to base units */
	bool   per_second;                      /* a rate of what our metric counts: times the row's seconds */
	enum column_how how;
};

/* A column of a CSV file, without prefix.  false: it has no metric. */
bool column_find(struct column *ret, enum column_family family, enum column_scope scope, struct word name);

/* A key of a JSON object that is a group of totals ("cpu"), or a row of a table. */
bool column_find_total(struct column *ret, const char *group, struct word key);
bool column_find_row(struct column *ret, enum table t, struct word key);

#endif
