/* openmetrics_name.h - the name of a metric for Prometheus, and what describes it there; from metrics.def alone. */
#ifndef RT_OPENMETRICS_NAME_H
#define RT_OPENMETRICS_NAME_H

#include "../core/buffer.h"
#include "../core/metrics.h"

/* The family: resource_tracker_process_cpu_seconds. */
void openmetrics_family(struct buffer *out, const struct metric *m);
/* The name of its samples: the family's, for an AMOUNT with _total, as for each counter. */
void openmetrics_name(struct buffer *out, const struct metric *m);
/* The lines "# TYPE", "# UNIT", "# HELP" of its family. */
void openmetrics_head(struct buffer *out, const struct metric *m);

#endif
