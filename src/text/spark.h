/* spark.h - a small graph of a quantity over a run of unknown length, in bounded memory. */
#ifndef RT_SPARK_H
#define RT_SPARK_H

#include "../core/buffer.h"

enum { SPARK_MAX = 60 };

/* Zeroed initially.  When it is full, its resolution is halved. */
struct spark {
	double value[SPARK_MAX];
	size_t n, per_point;                    /* samples in a point */
	size_t pending, pending_known;          /* samples since the last point, and those with a value */
	double pending_sum;
};

void spark_add(struct spark *s, double value);  /* NONE: a gap */
/* Appends at most `width` characters; the highest value has the highest character.  Returns how many it wrote. */
size_t spark_write(struct buffer *out, const struct spark *s, size_t width, bool utf8);

#endif
