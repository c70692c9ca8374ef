/* cgroup_limits.c - the limits of a control group and its ancestors.  Documentation/admin-guide/cgroup-v2.rst */
#include "cgroup_limits.h"

#include <sched.h>
#include <string.h>

#include "../kernel/cgroup_parse.h"

enum { AFFINITY_CPUS = 16384 };
enum { NOT_OPEN = -1, ABSENT = -2 };            /* in place of a descriptor; ABSENT: for as long as the group stays
						   the same */

/* NULL: version 2 has the value in another file. */
static const struct { enum hierarchy v1; const char *v1_name, *v2_name; } files[LIMIT_FILES] = {
	[LIMIT_QUOTA]  = { HIERARCHY_CPU, "cpu.cfs_quota_us", "cpu.max" },
	[LIMIT_PERIOD] = { HIERARCHY_CPU, "cpu.cfs_period_us", NULL },
	[LIMIT_MEMORY] = { HIERARCHY_MEMORY, "memory.limit_in_bytes", "memory.max" },
	[LIMIT_PIDS]   = { HIERARCHY_PIDS, "pids.max", "pids.max" },
};

struct level { size_t number, length; };        /* upwards, 0: the group itself; length of its path */

/* In version 2 a file appears when its controller is enabled; the root has no limits and never gets one. */
static bool may_appear(const struct cgroup_finder *f, const struct cgroup_place *p, struct level at)
{
	return cgroup_is_v2(f, p) && !(f->sees_root && at.length == 0);
}

static int read_file(struct cgroup_limits *l, const struct cgroup_finder *f, enum limit_file file, struct level at,
		     struct text *text)
{
	const struct cgroup_place *p = cgroup_place_of(f, files[file].v1);
	const char *name = cgroup_is_v2(f, p) ? files[file].v2_name : files[file].v1_name;
	int spare = NOT_OPEN, *fd = at.number < LEVELS_KEPT ? &l->fd[at.number][file] : &spare;

	if (*fd == ABSENT)
		return -ENOENT;

	int r = *fd < 0 ? cgroup_open(f->src, p, at.length, name) : *fd;

	if (r < 0) {
		*fd = r == -ENOENT && !may_appear(f, p, at) ? ABSENT : NOT_OPEN;
		return r;
	}
	*fd = r;
	r = text_read(text, *fd);
	if (r < 0 || fd == &spare)
		close_p(fd);
	return r;
}

static double quota_at(struct cgroup_limits *l, const struct cgroup_finder *f, struct level at, struct text *text)
{
	char quota[32];
	size_t n;

	if (read_file(l, f, LIMIT_QUOTA, at, text) < 0)
		return NONE;
	if (cgroup_is_v2(f, cgroup_place_of(f, HIERARCHY_CPU)))
		return cgroup_parse_cpu_max(text->at, text->len);
	n = size_min(text->len, sizeof quota);
	memcpy(quota, text->at, n);
	if (read_file(l, f, LIMIT_PERIOD, at, text) < 0)
		return NONE;
	return cgroup_quota_cores(quota, n, text->at, text->len);
}

/* false: this is the top. */
static bool go_up(struct level *at, const struct cgroup_place *p)
{
	if (at->length == 0)
		return false;
	at->length = cgroup_parent(p, at->length);
	at->number++;
	return true;
}

/* A group is limited by its own quota and by those of its ancestors.  Notes the group with the tightest one. */
static double tightest_quota(struct cgroup_limits *l, const struct cgroup_finder *f, struct text *text)
{
	const struct cgroup_place *p = cgroup_place_of(f, HIERARCHY_CPU);
	struct level at = { .length = strlen(p->path) };
	double tightest = NONE;

	l->quota_length = at.length;
	if (!cgroup_is_found(p))
		return NONE;
	do {
		double quota = quota_at(l, f, at, text);

		if (!is_none(quota) && !(quota >= tightest)) {
			tightest = quota;
			l->quota_length = at.length;
		}
	} while (go_up(&at, p));
	return tightest;
}

static double tightest_limit(struct cgroup_limits *l, const struct cgroup_finder *f, enum limit_file file,
			     struct text *text)
{
	const struct cgroup_place *p = cgroup_place_of(f, files[file].v1);
	struct level at = { .length = strlen(p->path) };
	double tightest = NONE;

	if (!cgroup_is_found(p))
		return NONE;
	do {
		if (read_file(l, f, file, at, text) == 0)
			tightest = least_known(tightest, cgroup_parse_limit(text->at, text->len));
	} while (go_up(&at, p));
	return tightest;
}

static double affinity_of(const struct cgroup_finder *f, double otherwise)
{
	unsigned long mask[AFFINITY_CPUS / 8 / sizeof(unsigned long)] = { 0 };
	pid_t pid = f->pid > 0 ? f->pid : getpid();
	int n = 0;

	if (!f->src->live || sched_getaffinity(pid, sizeof mask, (cpu_set_t *)mask) != 0)
		return otherwise;
	/* CPU_COUNT of musl tests all 16384 bits one by one. */
	for (size_t i = 0; i < countof(mask); i++)
		for (unsigned long rest = mask[i]; rest; rest &= rest - 1)
			n++;
	return n;
}

struct cgroup_limits cgroup_limits_none(void)
{
	struct cgroup_limits l = { .quota_cores = NONE, .memory_bytes = NONE, .pids = NONE, .affinity_cores = NONE };

	memset(l.fd, NOT_OPEN, sizeof l.fd);
	return l;
}

void cgroup_limits_read(struct cgroup_limits *l, const struct cgroup_finder *f, struct text *text)
{
	l->quota_cores = tightest_quota(l, f, text);
	l->memory_bytes = tightest_limit(l, f, LIMIT_MEMORY, text);
	l->pids = tightest_limit(l, f, LIMIT_PIDS, text);
	l->affinity_cores = affinity_of(f, l->affinity_cores);
}

void cgroup_limits_close(struct cgroup_limits *l)
{
	for (size_t i = 0; i < countof(l->fd); i++)
		for (size_t k = 0; k < LIMIT_FILES; k++)
			close_p(&l->fd[i][k]);
	memset(l->fd, NOT_OPEN, sizeof l->fd);
}
