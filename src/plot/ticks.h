/* ticks.h - where an axis has its lines, and what stands beside them. */
#ifndef RT_TICKS_H
#define RT_TICKS_H

#include "../core/buffer.h"

/* How an axis counts.  What is a second is a fraction of 60, what is a byte one of 1024. */
enum axis_unit { AXIS_BYTES, AXIS_BYTES_PER_SECOND, AXIS_SHARE, AXIS_PERCENT, AXIS_TIME, AXIS_PLAIN };

enum { TICKS_MOST = 64 };

struct ticks {
	double step;
	size_t n;                               /* at 0, step, 2 * step ... */
	double scale;                           /* of a unit's name in the unit: 1048576 for MiB */
	const char *name;                       /* " MiB"; "": none */
	int decimals;
};

/* From 0 to at least `top` where `above`, else within it; about `wanted` of them.  A top that makes no sense is 1. */
struct ticks ticks_find(enum axis_unit unit, double top, size_t wanted, bool above);
void ticks_label(struct buffer *out, enum axis_unit unit, const struct ticks *t, size_t i);

#endif
