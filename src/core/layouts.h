/* layouts.h - how layouts.def converts a value in our base unit for a peer's column. */
#ifndef RT_LAYOUTS_H
#define RT_LAYOUTS_H

#include "buffer.h"
#include "run.h"
#include "sample.h"

enum scale { SCALE_ONE, SCALE_MIB, SCALE_MIB_FRACTION, SCALE_GB, SCALE_MEGA, SCALE_PER_SECOND };

/* NONE stays NONE; an amount per second is NONE if the sample has no interval. */
static inline double scaled(double value, enum scale scale, double interval_seconds)
{
	switch (scale) {
	case SCALE_MIB:
		return double_floor(value / (1024.0 * 1024.0));
	case SCALE_MIB_FRACTION:
		return value / (1024.0 * 1024.0);
	case SCALE_GB:
		return value / 1e9;
	case SCALE_MEGA:
		return value / 1e6;
	case SCALE_PER_SECOND:
		return interval_seconds > 0 ? value / interval_seconds : NONE;
	case SCALE_ONE:
		break;
	}
	return value;
}

/* Whether samples are whole seconds apart: timestamps of CSV have no decimals then, else 3; those of JSON 3, below 1 s 6. */
static inline bool whole_seconds(const struct run *run)
{
	return run->interval_seconds >= 1 && double_floor(run->interval_seconds) >= run->interval_seconds;
}

/* Seconds since 1970 cut (not rounded, or it could be in the future) to 0, 3 or 6 decimals. */
void timestamp_write(struct buffer *out, int64_t wall_ns, int decimals);

#endif
