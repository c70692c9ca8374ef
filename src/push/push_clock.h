/* push_clock.h - the clock of senders. */
#ifndef RT_PUSH_CLOCK_H
#define RT_PUSH_CLOCK_H

#include <time.h>

/* CLOCK_MONOTONIC, in seconds. */
static inline double push_now(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
