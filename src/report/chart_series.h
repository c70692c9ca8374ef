/*
 * chart_series.h - quantities over a run of any length as a bounded number of points, for a chart.
 *
 * A point covers an interval of the run's time; for each line it has the mean over that time, and the least and the
 * most of the rows in it, so the peak of a single row is kept however long the run is.  Memory is bounded: lines x
 * points.  As rows arrive, adjacent points are merged; gaps in time cost nothing.
 *
 *  struct chart_series *c = chart_series_open(1000);
 *  int cpu = chart_series_line(c, true);
 *
 *  for (each row) {
 *   chart_series_begin(c, end_seconds, seconds);
 *   chart_series_add(c, cpu, value, maximum);
 *  }
 */
#ifndef RT_CHART_SERIES_H
#define RT_CHART_SERIES_H

#include "../core/sample.h"

struct chart_series;

enum { NO_LINE = -1 };

/* mean weighted by time; all NONE if unknown. */
struct chart_series_value { double mean, least, most; };
struct chart_series_peak { double value, end_seconds; };      /* the highest value, and the end of its row; NONE:
								 none */

/* points: at least 2.  NULL: out of memory. */
struct chart_series *chart_series_open(size_t points);
void chart_series_close(struct chart_series *c);            /* NULL is fine */

/*
 * Adds a line: returns its number, or NO_LINE if out of memory.  Its values in earlier rows are unknown.  rate: its
 * values are amounts divided by time, which are unreliable in a very short time.
 */
int chart_series_line(struct chart_series *c, bool rate);

/*
 * Begins a row: when it ended, since the start, and its duration (NONE: unknown; then its values weigh as those of a
 * very short one).  Time never goes back: a row that ends before the previous one belongs to the same point.  So does
 * a row of less than 0.1 s after longer ones: its rates are not used as extremes (aggregate.h).
 */
void chart_series_begin(struct chart_series *c, double end_seconds, double seconds);
/* maximum: the highest sample within the row, if known; else NONE.  A value of NONE, and NO_LINE, add nothing. */
void chart_series_add(struct chart_series *c, int line, double value, double maximum);

/* Merges adjacent points until there are at most so many. */
void chart_series_narrow(struct chart_series *c, size_t points);

/* In all of these `point` is less than chart_series_points, and a line can be NO_LINE: unknown. */
size_t chart_series_points(const struct chart_series *c);
double chart_series_end(const struct chart_series *c, size_t point);        /* seconds since the start, increasing */
bool   chart_series_spread(const struct chart_series *c, int line);         /* least and most differ in some point */
struct chart_series_value chart_series_value(const struct chart_series *c, int line, size_t point);
/* The mean over the point and those before it that end within so many seconds before its end. */
double chart_series_mean_over(const struct chart_series *c, int line, size_t point, double seconds);
struct chart_series_peak chart_series_peak(const struct chart_series *c, int line);

#endif
