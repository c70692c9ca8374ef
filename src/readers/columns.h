/*
 * columns.h - finds the metric and unit for a column or key of another tracker's file, from layouts.def (the names that
 * we write) and foreign.def (other names).
 */
#ifndef RT_COLUMNS_H
#define RT_COLUMNS_H

#include "../core/metrics.h"
#include "../core/scan.h"

enum column_family { FAMILY_OURS, FAMILY_PYTHON_MIB, FAMILY_PYTHON_KIB, FAMILY_PYTHON_TICKS, FAMILY_MONITOR };
enum column_scope { SCOPE_MACHINE, SCOPE_TREE };
enum column_how { HOW_ROW, HOW_TOTAL, HOW_SHARE };

struct column {
	size_t offset;                          /* of the metric in struct totals or in the table's row */
	double scale;                           /* factor to base units */
	bool   per_second;                      /* a rate: also multiply by the row's seconds */
	enum column_how how;                    /* see foreign.def */
};

/* Finds a column of a CSV file by its name without prefix.  false: no metric of ours, here and below. */
bool column_find(struct column *ret, enum column_family family, enum column_scope scope, struct word name);

/* Find a key of a JSON object: of a group of totals ("cpu"), and of a row of a table. */
bool column_find_total(struct column *ret, const char *group, struct word key);
bool column_find_row(struct column *ret, enum table t, struct word key);

#endif
