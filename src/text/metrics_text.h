/* metrics_text.h - the metric reference: every metric with unit, kind and meaning, from metrics.def. */
#ifndef RT_METRICS_TEXT_H
#define RT_METRICS_TEXT_H

#include "../core/buffer.h"

enum metrics_format { METRICS_PLAIN, METRICS_MARKDOWN, METRICS_JSON };

/* METRICS_MARKDOWN is docs/reference/metrics.md. */
void metrics_text(struct buffer *out, enum metrics_format format);

#endif
