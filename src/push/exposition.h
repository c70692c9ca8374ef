/* exposition.h - the newest values of a run as OpenMetrics text, for a scraper. */
#ifndef RT_EXPOSITION_H
#define RT_EXPOSITION_H

#include "points.h"

void exposition_write(struct buffer *out, const struct points *p);

#endif
