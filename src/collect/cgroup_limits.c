/* cgroup_limits.c - what a control group and those above it allow.  Documentation/admin-guide/cgroup-v2.rst */
#include "cgroup_limits.h"

#include <sched.h>
#include <string.h>

#include "cgroup.h"
#include "memory.h"

enum { AFFINITY_CPUS = 16384 };

static int read_at(const struct cgroup_finder *f, const struct cgroup_place *p, size_t length,
		   const char *file, struct text *text)
{
	int fd = cgroup_open(f->src, p, length, file);
	int r = fd < 0 ? fd : text_read(text, fd);

	close_p(&fd);
	return r;
}

static double quota_at(const struct cgroup_finder *f, const struct cgroup_place *p, size_t length,
		       struct text *text)
{
	char quota[32];
	size_t n;

	if (cgroup_is_v2(f, p)) {
		if (read_at(f, p, length, "cpu.max", text) < 0)
			return NONE;
		return cgroup_parse_cpu_max(text->at, text->len);
	}
	if (read_at(f, p, length, "cpu.cfs_quota_us", text) < 0)
		return NONE;
	n = size_min(text->len, sizeof quota);
	memcpy(quota, text->at, n);
	if (read_at(f, p, length, "cpu.cfs_period_us", text) < 0)
		return NONE;
	return cgroup_quota_cores(quota, n, text->at, text->len);
}

/* A group is bound by its own quota and by those of all groups above it.  Remembers whose binds. */
static double tightest_quota(const struct cgroup_finder *f, size_t *ret_length, struct text *text)
{
	const struct cgroup_place *p = cgroup_place_of(f, HIERARCHY_CPU);
	double tightest = NONE;

	*ret_length = strlen(p->path);
	if (!cgroup_is_found(p))
		return NONE;
	for (size_t length = *ret_length;; length = cgroup_parent(p, length)) {
		double quota = quota_at(f, p, length, text);

		if (!is_none(quota) && !(quota >= tightest)) {
			tightest = quota;
			*ret_length = length;
		}
		if (length == 0)
			return tightest;
	}
}

static double tightest_limit(const struct cgroup_finder *f, enum hierarchy v1, const char *v1_file,
			     const char *v2_file, struct text *text)
{
	const struct cgroup_place *p = cgroup_place_of(f, v1);
	double tightest = NONE;

	if (!cgroup_is_found(p))
		return NONE;
	for (size_t length = strlen(p->path);; length = cgroup_parent(p, length)) {
		if (read_at(f, p, length, cgroup_is_v2(f, p) ? v2_file : v1_file, text) == 0)
			tightest = least_known(tightest, cgroup_parse_limit(text->at, text->len));
		if (length == 0)
			return tightest;
	}
}

static double affinity_of(const struct cgroup_finder *f, double otherwise)
{
	unsigned long mask[AFFINITY_CPUS / 8 / sizeof(unsigned long)] = { 0 };
	pid_t pid = f->pid > 0 ? f->pid : getpid();

	if (!f->src->live || sched_getaffinity(pid, sizeof mask, (cpu_set_t *)mask) != 0)
		return otherwise;
	return CPU_COUNT_S(sizeof mask, (cpu_set_t *)mask);
}

static double machine_bytes(const struct cgroup_finder *f, struct text *text)
{
	struct totals all = { .memory_total_bytes = NONE };
	struct meminfo m;

	if (text_read_at(text, f->src->proc, "meminfo") == 0 &&
	    meminfo_parse(&m, text->at, text->len) == 0)
		meminfo_derive(&all, &m);
	return all.memory_total_bytes;
}

struct cgroup_limits cgroup_limits_none(void)
{
	return (struct cgroup_limits){ NONE, NONE, NONE, NONE, NONE, 0 };
}

void cgroup_limits_read(struct cgroup_limits *l, const struct cgroup_finder *f, struct text *text)
{
	l->quota_cores = tightest_quota(f, &l->quota_length, text);
	l->memory_bytes = tightest_limit(f, HIERARCHY_MEMORY, "memory.limit_in_bytes", "memory.max", text);
	l->pids = tightest_limit(f, HIERARCHY_PIDS, "pids.max", "pids.max", text);
	l->machine_bytes = machine_bytes(f, text);
	l->affinity_cores = affinity_of(f, l->affinity_cores);
}
