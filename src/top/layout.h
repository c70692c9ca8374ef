/* layout.h - where each part of the view stands, for a size of the screen.  Pure. */
#ifndef RT_LAYOUT_H
#define RT_LAYOUT_H

#include "entries.h"
#include "model.h"

enum { ROWS_LEAST = 10, COLUMNS_LEAST = 40, COLUMNS_WIDE = 120 };

struct layout {
	bool fits;                              /* false: the screen is too small, and nothing else is set */
	struct area title, state, warnings, regions, keys;
	struct area panel[COURSE_COUNT];        /* a heading, and a graph below; 0 rows: not shown */
	struct area table[2];                   /* by enum entry_kind; 0 rows: not shown */
};

/* chosen: the table that is shown where there is room for one only. */
struct layout layout_of(unsigned rows, unsigned columns, bool has_gpus, enum entry_kind chosen);
/* Of a job's ranks: sums above table[0], which has most of the room; no regions. */
struct layout layout_of_job(unsigned rows, unsigned columns);

#endif
