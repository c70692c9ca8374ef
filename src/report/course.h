/*
 * course.h - the course of quantities over a run of any length in at most so many points, for a chart.
 *
 * A point stands for a piece of the run's time; of each line it holds the mean over that time, the least and the most
 * of the rows in it, so a spike of one row is in the most of its point however long the run is.  Memory is bounded:
 * lines x points.  As rows come, points that are close to each other are made one; gaps in time cost nothing.
 *
 *	struct course *c = course_open(1000);
 *	int cpu = course_line(c, true);
 *
 *	for (each row) {
 *		course_begin(c, end_seconds, seconds);
 *		course_add(c, cpu, value, maximum);
 *	}
 */
#ifndef RT_COURSE_H
#define RT_COURSE_H

#include "../core/sample.h"

struct course;

enum { NO_LINE = -1 };

/* mean by time; all NONE where it was not known. */
struct course_value { double mean, least, most; };
struct course_peak { double value, end_seconds; };      /* the most, and the end of the row that had it; NONE: none */

/* points: at least 2.  NULL: out of memory. */
struct course *course_open(size_t points);
void course_close(struct course *c);            /* NULL is fine */

/*
 * Another line: its number, or NO_LINE where memory is short.  What lies behind it is not known.  rate: its values are
 * amounts by time, which are chance in a very short time.
 */
int course_line(struct course *c, bool rate);

/*
 * The row that what follows is of: when it ended, since the start, and for how long it stands (NONE: not known; then
 * its values count as those of a very short one).  Time never goes back: a row that ends before the one before belongs
 * to the same point.  So does a row of less than 0.1 s after longer ones: its rates make no extremes (aggregate.h).
 */
void course_begin(struct course *c, double end_seconds, double seconds);
/* maximum: the highest sample that the row stands for, if that is known; else NONE.  NONE as value adds nothing. */
void course_add(struct course *c, int line, double value, double maximum);

size_t course_points(const struct course *c);
double course_end(const struct course *c, size_t point);        /* seconds since the start, rising */
bool   course_spread(const struct course *c, int line);         /* some point of it holds different values */
struct course_value course_value(const struct course *c, int line, size_t point);
/* The mean over the point and as many before it as end in the so many seconds before its end. */
double course_mean_over(const struct course *c, int line, size_t point, double seconds);
struct course_peak course_peak(const struct course *c, int line);

#endif
