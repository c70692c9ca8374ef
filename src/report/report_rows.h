/*
 * report_rows.h - what the rows and events of a recording add to the data of a report, in the order of the recording.
 *
 * maxima: the highest samples within the row, or NULL.  Out of memory sets `failed`.
 */
#ifndef RT_REPORT_ROWS_H
#define RT_REPORT_ROWS_H

#include "report_run.h"

static const struct series_lines NO_LINES = { NO_LINE, NO_LINE, NO_LINE, NO_LINE };

/* Begins a row. */
void report_add_row(struct report_run *r, const struct sample *s);
/* Adds to a line of it.  A quantity that is never known has no line. */
void report_line_add(struct report_run *r, int *line, bool rate, double value, double maximum);

void report_add_series(struct report_run *r, const struct sample *s, const struct sample *maxima);
void report_add_cores(struct report_run *r, const struct sample *s);
void report_add_gpus(struct report_run *r, const struct sample *s, const struct sample *maxima);
void report_add_programs(struct report_run *r, const struct sample *s, const struct sample *maxima);

void report_add_process(struct report_run *r, const struct tree_exit *e);
void report_add_region(struct report_run *r, const struct region_event *e);
/* By begin, when all are added. */
void report_sort_regions(struct report_run *r);

#endif
