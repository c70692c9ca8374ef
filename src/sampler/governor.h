/*
 * governor.h - keeps our own cost within its budget: when it is passed, dear readings are taken in
 * fewer samples, and again in more when there is room.  Pure.
 */
#ifndef RT_GOVERNOR_H
#define RT_GOVERNOR_H

#include "../core/base.h"

enum { GOVERNOR_SLOWEST = 64 };

struct governor {
	double   budget;                        /* of one core, 0.01 is 1 %; 0: no limit */
	double   cpu_seconds, seconds;          /* used since the last decision, and how long ago that was */
	unsigned samples;                       /* since then */
	unsigned slowdown;                      /* dear readings in one of so many samples; a power of two */
};

void governor_init(struct governor *g, double budget);
/* After each sample: the CPU time that we used since the one before, and how long ago that was. */
void governor_step(struct governor *g, double cpu_seconds, double seconds);

#endif
