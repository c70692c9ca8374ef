/* metrics_names.h - the part of the metric reference about names in JSON and CSV.  For metrics_text.c alone. */
#ifndef RT_METRICS_NAMES_H
#define RT_METRICS_NAMES_H

#include "../core/buffer.h"

void metrics_names(struct buffer *out);         /* in Markdown */

#endif
