/* ticks.h - the ticks of an axis and their labels. */
#ifndef RT_TICKS_H
#define RT_TICKS_H

#include "../core/buffer.h"

/* The unit of an axis.  Time is divided by 60, bytes by 1024. */
enum axis_unit { AXIS_BYTES, AXIS_BYTES_PER_SECOND, AXIS_SHARE, AXIS_PERCENT, AXIS_TIME, AXIS_PLAIN };

enum { TICKS_MOST = 64 };

struct ticks {
	double step;
	size_t n;                               /* at 0, step, 2 * step ... */
	double scale;                           /* the size of the named unit in base units: 1048576 for MiB */
	const char *name;                       /* " MiB"; "": none */
	int decimals;
};

/* Ticks from 0 to at least `top` if `above`, else within it; about `wanted` of them.  An invalid top counts as 1. */
struct ticks ticks_find(enum axis_unit unit, double top, size_t wanted, bool above);
/* Appends the label of tick i. */
void ticks_label(struct buffer *out, enum axis_unit unit, const struct ticks *t, size_t i);

#endif
