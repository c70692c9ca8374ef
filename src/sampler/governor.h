/*
 * governor.h - keeps our own cost within its budget: above it, slow readings are taken in fewer samples, and in more
 * again when there is room.  Pure.
 *
 * The sampler calls governor_step after each sample, and takes slow readings (PSS, status, descriptors) in one of
 * `slowdown` samples.  A decision is made after at least 5 s: above the budget slowdown doubles, up to
 * GOVERNOR_SLOWEST; below half of it, it halves.
 */
#ifndef RT_GOVERNOR_H
#define RT_GOVERNOR_H

#include "../core/base.h"

enum { GOVERNOR_SLOWEST = 64 };

struct governor {
	double   budget;                        /* of one core, 0.01 is 1 %; 0: no limit */
	double   cpu_seconds, seconds;          /* CPU time and elapsed time since the last decision */
	unsigned samples;                       /* since then */
	unsigned slowdown;                      /* slow readings in one of so many samples; a power of two */
};

void governor_init(struct governor *g, double budget);
/* After each sample: our CPU time and the elapsed time since the one before; both are 0 or more. */
void governor_step(struct governor *g, double cpu_seconds, double seconds);

#endif
