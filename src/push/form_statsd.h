/*
 * form_statsd.h - lines of StatsD with the tags of DogStatsD:
 * https://github.com/statsd/statsd/blob/master/docs/metric_types.md
 * https://docs.datadoghq.com/developers/dogstatsd/datagram_shell/
 *
 *     resource_tracker.process.rss_bytes:1048576|g|#host:a,job:nightly,run:...
 */
#ifndef RT_FORM_STATSD_H
#define RT_FORM_STATSD_H

#include "points.h"

/* The value of a counter in whole units of its last digit, as the end of the record has it. */
int64_t statsd_units(const struct series *s);
/* Appends the line of a counter that has grown by so many of these units. */
void statsd_count(struct buffer *out, const struct points *p, const struct series *s, int64_t units);
/* Appends the newest value of a gauge; one below 0 as two lines, as a sign means a difference. */
void statsd_gauge(struct buffer *out, const struct points *p, const struct series *s);

#endif
