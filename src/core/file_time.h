/*
 * file_time.h - times from untrusted files, bounded when they are read.
 *
 * Code after the readers adds, subtracts and divides times freely.  Within these bounds an instant plus two spans, and
 * the difference of two such sums, fit into nanoseconds of an int64_t.  A time beyond them is unknown.
 */
#ifndef RT_FILE_TIME_H
#define RT_FILE_TIME_H

#include <math.h>

#include "sample.h"

#define INSTANT_MOST_SECONDS 4e9                /* since 1970: until October 2096 */
#define SPAN_MOST_SECONDS    1e9                /* 31 years */
#define INTERVAL_LEAST_SECONDS 1e-9

static inline bool is_instant(double unix_seconds)
{
	return unix_seconds >= 0 && unix_seconds < INSTANT_MOST_SECONDS;
}

/* From one instant to another, in either direction. */
static inline bool is_span(double seconds)
{
	return fabs(seconds) < SPAN_MOST_SECONDS;
}

/* A positive time, by which amounts can be divided. */
static inline bool is_interval(double seconds)
{
	return seconds >= INTERVAL_LEAST_SECONDS && is_span(seconds);
}

static inline double known_span(double seconds)
{
	return is_span(seconds) ? seconds : NONE;
}

/* 0: not an instant. */
static inline int64_t instant_ns(double unix_seconds)
{
	return is_instant(unix_seconds) ? (int64_t)llrint(unix_seconds * 1e9) : 0;
}

static inline int64_t span_ns(double seconds)
{
	return is_span(seconds) ? (int64_t)llrint(seconds * 1e9) : 0;
}

#endif
