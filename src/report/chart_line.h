/* chart_line.h - the lines of a run's charts: those of series.def that are known of it, then those of its GPUs. */
#ifndef RT_CHART_LINE_H
#define RT_CHART_LINE_H

#include "../record/record_lines.h"
#include "report_run.h"

struct chart_line {
	const char *chart, *unit, *kind, *style;
	char   key[RECORD_NAME_SIZE], label[64];
	enum owner owner;
	bool   aside;                           /* of more than the tracked processes */
	double over_seconds;                    /* its values are means over that time; 0: they are not */
	struct series_lines lines;
};

enum { CHART_LINES = SERIES_COUNT + GPU_SERIES_COUNT * REPORT_GPUS };

/* Returns how many there are. */
size_t chart_lines(struct chart_line ret[CHART_LINES], const struct report_run *r);

/* The value of its line in these series at a point. */
struct chart_series_value chart_line_value(const struct chart_line *l, const struct chart_series *c, int line,
					   size_t point);

#endif
