/*
 * cgroup_parse.h - parses the files of a control group, and derives changes between two readings.  Pure.
 * Documentation/admin-guide/cgroup-v2.rst, and cgroup-v1/cpuacct.rst, memory.rst and pids.rst.
 */
#ifndef RT_CGROUP_PARSE_H
#define RT_CGROUP_PARSE_H

#include "../core/sample.h"

enum cgroup_counter {
	CGROUP_USAGE_NS, CGROUP_USER_NS, CGROUP_SYSTEM_NS, CGROUP_PERIODS, CGROUP_THROTTLED_PERIODS,
	CGROUP_THROTTLED_NS, CGROUP_HIGH_EVENTS, CGROUP_MAX_EVENTS, CGROUP_OOM_KILLS, CGROUP_PIDS_REFUSED,
	CGROUP_COUNTERS,
};

struct cgroup_counters { uint64_t found, value[CGROUP_COUNTERS]; };     /* `found`: bit i for value[i]; zeroed: none */

/*
 * Each adds the values that the text holds; others stay unknown.  cpu_stat: version 2; throttling: cpu.stat of either
 * version; events: memory.events, memory.events.local and version 1's memory.oom_control.
 */
void cgroup_parse_cpu_stat(struct cgroup_counters *ret, const char *text, size_t n);
void cgroup_parse_throttling(struct cgroup_counters *ret, const char *text, size_t n);
void cgroup_parse_cpuacct_stat(struct cgroup_counters *ret, const char *text, size_t n, long ticks_per_second);
void cgroup_parse_events(struct cgroup_counters *ret, const char *text, size_t n);
void cgroup_parse_pids_events(struct cgroup_counters *ret, const char *text, size_t n);
void cgroup_parse_number(struct cgroup_counters *ret, enum cgroup_counter which, const char *text, size_t n);

/* Sets the amounts that both readings have; others stay, and so do the cores without an interval. */
void cgroup_derive(struct totals *out, const struct cgroup_counters *was, const struct cgroup_counters *now,
		   double interval_seconds);

/* Cores; NONE: no quota.  v2 cpu.max holds "quota period"; v1 has a file for each. */
double cgroup_parse_cpu_max(const char *text, size_t n);
double cgroup_quota_cores(const char *quota, size_t quota_length, const char *period, size_t period_length);
/* "max", a number, or in v1 a number so large that it means none.  NONE: no limit. */
double cgroup_parse_limit(const char *text, size_t n);

#endif
