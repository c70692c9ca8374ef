/*
 * counters.h - the counters of a run as text, and back.
 *
 * A process that goes on with the run of another one adds up the rounded amounts of a record: its counters must not
 * begin below those that were sent.
 */
#ifndef RT_COUNTERS_H
#define RT_COUNTERS_H

#include "points.h"

void counters_save(struct buffer *out, const struct points *p);
void counters_load(struct points *p, const char *text, size_t n);       /* lines that are not valid are skipped */

#endif
