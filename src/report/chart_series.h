/*
 * chart_series.h - the course of quantities over a run of any length in at most so many points, for a chart.
 *
 * A point stands for a piece of the run's time; of each line it holds the mean over that time, the least and the most
 * of the rows in it, so a spike of one row is in the most of its point however long the run is.  Memory is bounded:
 * lines x points.  As rows come, points that are close to each other are made one; gaps in time cost nothing.
 *
 *	struct course *c = chart_series_open(1000);
 *	int cpu = chart_series_line(c, true);
 *
 *	for (each row) {
 *		chart_series_begin(c, end_seconds, seconds);
 *		chart_series_add(c, cpu, value, maximum);
 *	}
 */
#ifndef RT_CHART_SERIES_H
#define RT_CHART_SERIES_H

#include "../core/sample.h"

struct chart_series;

enum { NO_LINE = -1 };

/* mean by time; all NONE where it was not known. */
struct chart_series_value { double mean, least, most; };
struct chart_series_peak { double value, end_seconds; };      /* the most, and the end of the row that had it; NONE: none */

/* points: at least 2.  NULL: out of memory. */
struct chart_series *chart_series_open(size_t points);
void chart_series_close(struct chart_series *c);            /* NULL is fine */

/*
 * Another line: its number, or NO_LINE where memory is short.  What lies behind it is not known.  rate: its values are
 * amounts by time, which are chance in a very short time.
 */
int chart_series_line(struct chart_series *c, bool rate);

/*
 * The row that what follows is of: when it ended, since the start, and for how long it stands (NONE: not known; then
 * its values count as those of a very short one).  Time never goes back: a row that ends before the one before belongs
 * to the same point.  So does a row of less than 0.1 s after longer ones: its rates make no extremes (aggregate.h).
 */
void chart_series_begin(struct chart_series *c, double end_seconds, double seconds);
/* maximum: the highest sample that the row stands for, if that is known; else NONE.  NONE as value adds nothing. */
void chart_series_add(struct chart_series *c, int line, double value, double maximum);

size_t chart_series_points(const struct chart_series *c);
double chart_series_end(const struct chart_series *c, size_t point);        /* seconds since the start, rising */
bool   chart_series_spread(const struct chart_series *c, int line);         /* some point of it holds different values */
struct chart_series_value chart_series_value(const struct chart_series *c, int line, size_t point);
/* The mean over the point and as many before it as end in the so many seconds before its end. */
double chart_series_mean_over(const struct chart_series *c, int line, size_t point, double seconds);
struct chart_series_peak chart_series_peak(const struct chart_series *c, int line);

#endif
