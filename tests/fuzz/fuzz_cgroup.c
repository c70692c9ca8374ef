/*
 * fuzz_cgroup.c - the texts of a control group, and those that give its place, as any bytes.
 *
 * The input is /proc/PID/cgroup up to the first empty line, then mountinfo.
 */
#include <string.h>

#include "../../src/kernel/cgroup_parse.h"
#include "../../src/kernel/cgroup_path.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void find(const char *text, size_t n)
{
	static struct cgroup_membership membership, own;
	static struct cgroup_place place[HIERARCHY_COUNT];
	const char *cut = memmem(text, n, "\n\n", 2);
	size_t first = cut ? (size_t)(cut + 1 - text) : n;

	cgroup_parse_membership(&membership, text, first);
	cgroup_parse_membership(&own, text, first / 2);                 /* another one, or the same group */
	cgroup_parse_mounts(place, &membership, &own, text + first, n - first);
	for (size_t h = 0; h < HIERARCHY_COUNT; h++) {
		size_t length = strnlen(place[h].path, sizeof place[h].path);

		if (length == sizeof place[h].path || (!cgroup_is_found(&place[h]) && length > 0) ||
		    (length > 0 && place[h].path[0] != '/'))
			abort();
		while (length > 0)
			length = cgroup_parent(&place[h], length);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	static struct totals out;
	static struct cgroup_counters was;
	struct cgroup_counters now = { 0 };

	find(text, size);
	cgroup_parse_cpu_stat(&now, text, size);
	cgroup_parse_throttling(&now, text, size);
	cgroup_parse_cpuacct_stat(&now, text, size, 100);
	cgroup_parse_events(&now, text, size);
	cgroup_parse_pids_events(&now, text, size);
	cgroup_parse_number(&now, CGROUP_MAX_EVENTS, text, size);
	cgroup_derive(&out, &was, &now, 1);
	was = now;
	if (cgroup_parse_limit(text, size) < 0 || cgroup_parse_cpu_max(text, size) < 0 ||
	    cgroup_quota_cores(text, size / 2, text + size / 2, size - size / 2) < 0)
		abort();
	return 0;
}
