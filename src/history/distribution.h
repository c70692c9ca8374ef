/*
 * distribution.h - percentiles of a quantity over a run of any length, weighted by time, in bounded memory.
 *
 * Values fall into classes 0.4 % wide (the upper bits of a double: each power of two has 256 of them); a percentile
 * is the mean of its class.  So it is exact if the values around it are equal, and within 0.4 % otherwise.
 */
#ifndef RT_DISTRIBUTION_H
#define RT_DISTRIBUTION_H

#include "../core/base.h"

struct distribution {                           /* zeroed initially */
	struct distribution_page *pages;        /* one for each power of two that has a value, in order */
	size_t n;
	double weight;                          /* of all values */
	double zero_weight;                     /* of values of 0 and below, and of the tiniest */
	bool   failed;                          /* out of memory */
};

void   distribution_add(struct distribution *d, double value, double weight);   /* ignores NONE, infinity, weight 0 */
/* share: 0 to 1, 0.5 is the median.  NONE if nothing was added, or memory ran out. */
double distribution_at(const struct distribution *d, double share);
void   distribution_release(struct distribution *d);

#endif
