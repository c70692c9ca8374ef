/* otlp_names.h - what both encodings of OpenTelemetry's protocol say: https://opentelemetry.io/docs/specs/otlp/ */
#ifndef RT_OTLP_NAMES_H
#define RT_OTLP_NAMES_H

#include "points.h"

enum { OTLP_CUMULATIVE = 2, OTLP_RESOURCE_MAX = 4 };

extern const char OTLP_SCOPE[];
/* By https://ucum.org, as the conventions of OpenTelemetry use it. */
const char *otlp_unit(enum unit unit);
/* The attributes of the run.  Returns their number. */
size_t otlp_resource(struct label_pair ret[OTLP_RESOURCE_MAX], const struct run_labels *l);
/* The next series of this metric that has points in this batch; after: NULL: the first.  NULL: none. */
const struct series *otlp_next(const struct points *p, const struct metric *m, const struct series *after);

static inline bool otlp_is_sum(const struct metric *m) { return m->kind == KIND_AMOUNT; }

#endif
