/*
 * outline.h - a run in at most 64 points of 12 quantities, for the end of its record: thousands of runs can be laid
 * beside each other without reading their rows.
 */
#ifndef RT_OUTLINE_H
#define RT_OUTLINE_H

#include "metrics.h"

enum { OUTLINE_POINTS = 64, OUTLINE_QUANTITIES = 12 };

/* A part of the run's time, from the end of the point before: of levels the mean, of amounts the sum; NONE: unknown. */
struct outline_point {
	double end_seconds;                     /* since the start */
	double value[OUTLINE_QUANTITIES];
	double known_seconds[OUTLINE_QUANTITIES];       /* of it, for which the value is known */
};

/* Zeroed at first.  When it is full, two points become one, and later ones are as long. */
struct outline {
	struct outline_point at[OUTLINE_POINTS];
	size_t n;
	size_t per_point, in_last;              /* samples in each point, and in the last one so far */
};

/* Which they are. */
const struct metric *outline_metric(size_t quantity);
/* A sample, or a row: when it ended, since the start, and for how long it stands. */
void outline_add(struct outline *o, const struct totals *t, double end_seconds, double seconds);
void outline_halve(struct outline *o);          /* n becomes half of it, rounded up */
bool outline_knows(const struct outline *o, size_t quantity);   /* some point has a value */

#endif
