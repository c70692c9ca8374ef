/* cgroup_parse.c - the files of a control group, as text.  Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/ */
#include "cgroup_parse.h"

#include "../core/fields.h"
#include "../core/scan.h"

/* Reads named numbers into ret, each times `scale`, the first of them as counter `first`. */
static void add_fields(struct cgroup_counters *ret, enum cgroup_counter first, const struct field *fields,
		       size_t n_fields, uint64_t scale, const char *text, size_t n)
{
	uint64_t value[CGROUP_COUNTERS];
	uint64_t found = fields_parse(value, fields, n_fields, text, n);

	for (unsigned i = 0; i < n_fields; i++)
		if (fields_has(found, i) && !__builtin_mul_overflow(value[i], scale, &ret->value[first + i]))
			ret->found |= UINT64_C(1) << (first + i);
}

void cgroup_parse_cpu_stat(struct cgroup_counters *ret, const char *text, size_t n)
{
	static const struct field fields[] = { FIELD("usage_usec "), FIELD("user_usec "), FIELD("system_usec ") };

	add_fields(ret, CGROUP_USAGE_NS, fields, countof(fields), 1000, text, n);
}

void cgroup_parse_throttling(struct cgroup_counters *ret, const char *text, size_t n)
{
	static const struct field periods[] = { FIELD("nr_periods "), FIELD("nr_throttled ") };
	static const struct field microseconds[] = { FIELD("throttled_usec ") };
	static const struct field nanoseconds[] = { FIELD("throttled_time ") };

	add_fields(ret, CGROUP_PERIODS, periods, countof(periods), 1, text, n);
	add_fields(ret, CGROUP_THROTTLED_NS, microseconds, 1, 1000, text, n);
	add_fields(ret, CGROUP_THROTTLED_NS, nanoseconds, 1, 1, text, n);
}

void cgroup_parse_cpuacct_stat(struct cgroup_counters *ret, const char *text, size_t n, long ticks_per_second)
{
	static const struct field fields[] = { FIELD("user "), FIELD("system ") };

	if (ticks_per_second > 0)
		add_fields(ret, CGROUP_USER_NS, fields, countof(fields),
			   (uint64_t)(NS_PER_SECOND / ticks_per_second), text, n);
}

void cgroup_parse_events(struct cgroup_counters *ret, const char *text, size_t n)
{
	static const struct field fields[] = { FIELD("high "), FIELD("max "), FIELD("oom_kill ") };

	add_fields(ret, CGROUP_HIGH_EVENTS, fields, countof(fields), 1, text, n);
}

/* "max N": forks that a limit refused; in version 1 of the group itself, in version 2 of those below it too. */
void cgroup_parse_pids_events(struct cgroup_counters *ret, const char *text, size_t n)
{
	static const struct field fields[] = { FIELD("max ") };

	add_fields(ret, CGROUP_PIDS_REFUSED, fields, countof(fields), 1, text, n);
}

void cgroup_parse_number(struct cgroup_counters *ret, enum cgroup_counter which, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);

	if (scan_u64(&s, &ret->value[which]))
		ret->found |= UINT64_C(1) << which;
}

void cgroup_derive(struct totals *out, const struct cgroup_counters *was, const struct cgroup_counters *now,
		   double interval_seconds)
{
	double *const amounts[CGROUP_COUNTERS] = {
		[CGROUP_USAGE_NS] = &out->cgroup_cpu_usage_seconds,
		[CGROUP_USER_NS] = &out->cgroup_cpu_user_seconds,
		[CGROUP_SYSTEM_NS] = &out->cgroup_cpu_system_seconds,
		[CGROUP_PERIODS] = &out->cgroup_cpu_periods,
		[CGROUP_THROTTLED_PERIODS] = &out->cgroup_cpu_throttled_periods,
		[CGROUP_THROTTLED_NS] = &out->cgroup_cpu_throttled_seconds,
		[CGROUP_HIGH_EVENTS] = &out->cgroup_memory_high_events,
		[CGROUP_MAX_EVENTS] = &out->cgroup_memory_max_events,
		[CGROUP_OOM_KILLS] = &out->cgroup_oom_kills,
		[CGROUP_PIDS_REFUSED] = &out->cgroup_pids_refused,
	};
	static const bool is_time[CGROUP_COUNTERS] = {
		[CGROUP_USAGE_NS] = true, [CGROUP_USER_NS] = true,
		[CGROUP_SYSTEM_NS] = true, [CGROUP_THROTTLED_NS] = true,
	};

	for (unsigned i = 0; i < CGROUP_COUNTERS; i++)
		if (fields_has(was->found & now->found, i))
			*amounts[i] = gained(was->value[i], now->value[i]) / (is_time[i] ? 1e9 : 1);
	if (interval_seconds > 0)
		out->cgroup_cpu_usage_cores = out->cgroup_cpu_usage_seconds / interval_seconds;
}

static double cores_of(struct scan quota, struct scan period)
{
	uint64_t quota_us, period_us;

	/* "max" and -1 are not numbers here. */
	if (!scan_u64(&quota, &quota_us) || !scan_u64(&period, &period_us) || quota_us == 0 || period_us == 0)
		return NONE;
	return (double)quota_us / (double)period_us;
}

double cgroup_parse_cpu_max(const char *text, size_t n)
{
	struct scan quota = scan_of(text, n), period = quota;

	return scan_skip(&period, 1) ? cores_of(quota, period) : NONE;
}

double cgroup_quota_cores(const char *quota, size_t quota_length, const char *period, size_t period_length)
{
	return cores_of(scan_of(quota, quota_length), scan_of(period, period_length));
}

double cgroup_parse_limit(const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	uint64_t limit;

	/* v1 writes no limit as the largest number of pages, in bytes: 2^63 less one page. */
	return scan_u64(&s, &limit) && limit < UINT64_C(1) << 62 ? (double)limit : NONE;
}
