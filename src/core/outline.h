/*
 * outline.h - a run in at most 64 points of 15 quantities, for the end of its record: thousands of runs can be compared
 * without reading their rows.  Plain data, no allocation; quantities are listed in outline.c, in their metrics' units.
 */
#ifndef RT_OUTLINE_H
#define RT_OUTLINE_H

#include "metrics.h"

enum { OUTLINE_POINTS = 64, OUTLINE_QUANTITIES = 15 };

/* A part of the run's time, from the end of the point before: mean of levels, sum of amounts; NONE: unknown. */
struct outline_point {
	double end_seconds;                     /* since the start */
	double value[OUTLINE_QUANTITIES];
	double known_seconds[OUTLINE_QUANTITIES];       /* the part of it with a known value */
};

/* Zeroed initially.  When it is full, each two points become one, and later points are as long as these. */
struct outline {
	struct outline_point at[OUTLINE_POINTS];
	size_t n;
	size_t per_point, in_last;              /* samples in each point, and in the last one so far */
};

/* The metric of a quantity, 0 to OUTLINE_QUANTITIES - 1. */
const struct metric *outline_metric(size_t quantity);
/* Adds a sample, or a row: its end since the start, and its duration.  An unknown metric adds nothing. */
void outline_add(struct outline *o, const struct totals *t, double end_seconds, double seconds);
void outline_halve(struct outline *o);          /* n becomes half of it, rounded up */
bool outline_knows(const struct outline *o, size_t quantity);   /* some point has a value */

#endif
