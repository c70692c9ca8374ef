/* cgroup.c - the control group that the job lives in: what it used, and how much it may use. */
#include "cgroup.h"

#include <sched.h>
#include <string.h>

#include "../core/collector.h"
#include "../core/fields.h"
#include "cgroup_path.h"
#include "memory.h"

enum { LIMITS_AGAIN_SECONDS = 10, AFFINITY_CPUS = 16384 };

enum hot {                                      /* files read at every sample */
	HOT_USAGE, HOT_SPLIT, HOT_THROTTLING, HOT_CURRENT, HOT_PEAK, HOT_EVENTS, HOT_FAILURES, HOT_PIDS, HOT_COUNT,
};

struct limits { double quota_cores, affinity_cores, memory_bytes, machine_bytes, pids; };

struct cgroup {
	struct cgroup_finder finder;
	int  fd[HOT_COUNT];
	bool usage_is_v2, throttling_is_usage;  /* one text may tell both */
	bool lost;                              /* the group is gone: look again at once */
	bool primed;
	int64_t due_ns;                         /* when to look again at the group and its limits */
	size_t quota_length;                    /* of the path of the group whose quota is the tightest */
	struct limits limits;
	struct cgroup_counters was;
};

static const struct cgroup_place *place_of(const struct cgroup *c, enum hierarchy v1)
{
	return &c->finder.place[cgroup_is_found(&c->finder.place[v1]) ? v1 : HIERARCHY_V2];
}

static bool is_v2(const struct cgroup *c, const struct cgroup_place *p)
{
	return p == &c->finder.place[HIERARCHY_V2];
}

/*
 * cpu.stat of version 2 tells the CPU time of every group, even where the cpu controller is in
 * version 1; but there all processes may be in its root, and cpuacct knows better.
 */
static const struct cgroup_place *usage_place(const struct cgroup *c)
{
	const struct cgroup_place *v2 = &c->finder.place[HIERARCHY_V2];

	return cgroup_is_found(v2) && v2->path[0] ? v2 : place_of(c, HIERARCHY_CPUACCT);
}

static int read_at(struct cgroup *c, const struct cgroup_place *p, size_t length, const char *file,
		   struct text *text)
{
	int fd = cgroup_open(c->finder.src, p, length, file);
	int r = fd < 0 ? fd : text_read(text, fd);

	close_p(&fd);
	return r;
}

static double quota_at(struct cgroup *c, const struct cgroup_place *p, size_t length, struct text *text)
{
	char quota[32];
	size_t n;

	if (is_v2(c, p))
		return read_at(c, p, length, "cpu.max", text) < 0 ? NONE : cgroup_parse_cpu_max(text->at, text->len);
	if (read_at(c, p, length, "cpu.cfs_quota_us", text) < 0)
		return NONE;
	n = size_min(text->len, sizeof quota);
	memcpy(quota, text->at, n);
	if (read_at(c, p, length, "cpu.cfs_period_us", text) < 0)
		return NONE;
	return cgroup_quota_cores(quota, n, text->at, text->len);
}

/* A group is bound by its own quota and by those of all groups above it.  Remembers whose binds. */
static double tightest_quota(struct cgroup *c, size_t *ret_length, struct text *text)
{
	const struct cgroup_place *p = place_of(c, HIERARCHY_CPU);
	double tightest = NONE;

	*ret_length = strlen(p->path);
	if (!cgroup_is_found(p))
		return NONE;
	for (size_t length = *ret_length;; length = cgroup_parent(p, length)) {
		double quota = quota_at(c, p, length, text);

		if (!is_none(quota) && !(quota >= tightest)) {
			tightest = quota;
			*ret_length = length;
		}
		if (length == 0)
			return tightest;
	}
}

static double tightest_limit(struct cgroup *c, enum hierarchy v1, const char *v1_file, const char *v2_file,
			     struct text *text)
{
	const struct cgroup_place *p = place_of(c, v1);
	double tightest = NONE;

	if (!cgroup_is_found(p))
		return NONE;
	for (size_t length = strlen(p->path);; length = cgroup_parent(p, length)) {
		if (read_at(c, p, length, is_v2(c, p) ? v2_file : v1_file, text) == 0)
			tightest = fmin(tightest, cgroup_parse_limit(text->at, text->len));
		if (length == 0)
			return tightest;
	}
}

static double affinity_of(const struct cgroup *c)
{
	unsigned long mask[AFFINITY_CPUS / 8 / sizeof(unsigned long)] = { 0 };
	pid_t pid = c->finder.pid > 0 ? c->finder.pid : getpid();

	if (!c->finder.src->live || sched_getaffinity(pid, sizeof mask, (cpu_set_t *)mask) != 0)
		return c->limits.affinity_cores;        /* of a process that ended, what it was */
	return CPU_COUNT_S(sizeof mask, (cpu_set_t *)mask);
}

static double machine_bytes(struct cgroup *c, struct text *text)
{
	struct totals all = { .memory_total_bytes = NONE };
	struct meminfo m;

	if (text_read_at(text, c->finder.src->proc, "meminfo") == 0 && meminfo_parse(&m, text->at, text->len) == 0)
		meminfo_derive(&all, &m);
	return all.memory_total_bytes;
}

static void open_hot(struct cgroup *c)
{
	const struct source *src = c->finder.src;
	const struct cgroup_place *usage = usage_place(c), *cpu = place_of(c, HIERARCHY_CPU);
	const struct cgroup_place *memory = place_of(c, HIERARCHY_MEMORY), *pids = place_of(c, HIERARCHY_PIDS);

	for (size_t i = 0; i < HOT_COUNT; i++)
		close_p(&c->fd[i]);
	c->primed = false;

	c->usage_is_v2 = is_v2(c, usage);
	c->throttling_is_usage = usage == cpu && c->usage_is_v2 && c->quota_length == strlen(cpu->path);
	if (cgroup_is_found(usage)) {
		c->fd[HOT_USAGE] = cgroup_open(src, usage, strlen(usage->path),
					       c->usage_is_v2 ? "cpu.stat" : "cpuacct.usage");
		if (!c->usage_is_v2)
			c->fd[HOT_SPLIT] = cgroup_open(src, usage, strlen(usage->path), "cpuacct.stat");
	}
	if (cgroup_is_found(cpu) && !c->throttling_is_usage)
		c->fd[HOT_THROTTLING] = cgroup_open(src, cpu, c->quota_length, "cpu.stat");
	if (cgroup_is_found(memory)) {
		bool v2 = is_v2(c, memory);

		c->fd[HOT_CURRENT] = cgroup_open_nearest(src, memory, v2 ? "memory.current" : "memory.usage_in_bytes");
		c->fd[HOT_PEAK] = cgroup_open_nearest(src, memory, v2 ? "memory.peak" : "memory.max_usage_in_bytes");
		c->fd[HOT_EVENTS] = cgroup_open_nearest(src, memory, v2 ? "memory.events.local" : "memory.oom_control");
		if (v2 && c->fd[HOT_EVENTS] < 0)        /* before Linux 5.2; counts the groups below too */
			c->fd[HOT_EVENTS] = cgroup_open_nearest(src, memory, "memory.events");
		if (!v2)
			c->fd[HOT_FAILURES] = cgroup_open_nearest(src, memory, "memory.failcnt");
	}
	if (cgroup_is_found(pids))
		c->fd[HOT_PIDS] = cgroup_open_nearest(src, pids, "pids.current");
}

/* The group and its limits, some seconds apart: it may be moved, and its limits changed, while it runs. */
static int look_again(struct cgroup *c, struct text *text)
{
	size_t quota_length;
	int changed = cgroup_find(&c->finder, text);

	if (changed < 0 && c->finder.fingerprint == 0)
		return changed;

	c->limits.quota_cores = tightest_quota(c, &quota_length, text);
	c->limits.memory_bytes = tightest_limit(c, HIERARCHY_MEMORY, "memory.limit_in_bytes", "memory.max", text);
	c->limits.pids = tightest_limit(c, HIERARCHY_PIDS, "pids.max", "pids.max", text);
	c->limits.machine_bytes = machine_bytes(c, text);
	c->limits.affinity_cores = affinity_of(c);
	if (changed > 0 || quota_length != c->quota_length) {
		c->quota_length = quota_length;
		open_hot(c);
	}
	return 0;
}

static int cgroup_start(void *state, const struct setup *setup, struct why *why)
{
	struct cgroup *c = state;
	struct text text = { 0 };
	bool any = false;

	(void)why;
	c->finder.src = setup->src;
	c->finder.pid = setup->pid;
	c->limits = (struct limits){ NONE, NONE, NONE, NONE, NONE };
	for (size_t i = 0; i < HOT_COUNT; i++)
		c->fd[i] = -1;

	int r = look_again(c, &text);

	c->due_ns = setup->src->monotonic_ns(setup->src->clock) + LIMITS_AGAIN_SECONDS * NS_PER_SECOND;
	text_release(&text);
	for (size_t h = 0; h < HIERARCHY_COUNT; h++)
		any = any || cgroup_is_found(&c->finder.place[h]);
	return r < 0 || !any ? -ENODATA : 0;
}

static bool read_hot(struct cgroup *c, enum hot which, struct text *text)
{
	int r = c->fd[which] < 0 ? -EBADF : text_read(text, c->fd[which]);

	/* A removed group's files say ENODEV: fs/kernfs/file.c */
	if (r == -ENODEV || r == -ENOENT)
		c->lost = true;
	return r == 0;
}

static double read_level(struct cgroup *c, enum hot which, struct text *text)
{
	return read_hot(c, which, text) ? cgroup_parse_limit(text->at, text->len) : NONE;
}

static void read_counters(struct cgroup *c, struct cgroup_counters *now, struct tick *tick)
{
	struct text *text = tick->text;

	now->found = 0;
	if (read_hot(c, HOT_USAGE, text)) {
		if (c->usage_is_v2)
			cgroup_parse_cpu_stat(now, text->at, text->len);
		else
			cgroup_parse_number(now, CGROUP_USAGE_NS, text->at, text->len);
		if (c->throttling_is_usage)
			cgroup_parse_throttling(now, text->at, text->len);
	}
	if (read_hot(c, HOT_SPLIT, text))
		cgroup_parse_cpuacct_stat(now, text->at, text->len, tick->src->ticks_per_second);
	if (read_hot(c, HOT_THROTTLING, text))
		cgroup_parse_throttling(now, text->at, text->len);
	if (read_hot(c, HOT_EVENTS, text))
		cgroup_parse_events(now, text->at, text->len);
	if (read_hot(c, HOT_FAILURES, text))
		cgroup_parse_number(now, CGROUP_MAX_EVENTS, text->at, text->len);
}

static int cgroup_read(void *state, struct tick *tick)
{
	struct cgroup *c = state;
	struct totals *out = &tick->out->total;
	struct cgroup_counters now;

	if (c->lost)
		c->finder.fingerprint = 0;
	if (c->lost || tick->out->monotonic_ns >= c->due_ns) {
		c->lost = false;
		(void)!look_again(c, tick->text);
		c->due_ns = tick->out->monotonic_ns + LIMITS_AGAIN_SECONDS * NS_PER_SECOND;
	}
	read_counters(c, &now, tick);
	if (c->primed)
		cgroup_derive(out, &c->was, &now, tick->out->interval_seconds);
	c->was = now;
	c->primed = true;

	/* fmin leaves out a part that is NONE. */
	out->cgroup_cpu_quota_cores = c->limits.quota_cores;
	out->cgroup_cpu_available_cores = fmin(c->limits.quota_cores, c->limits.affinity_cores);
	out->cgroup_memory_current_bytes = read_level(c, HOT_CURRENT, tick->text);
	out->cgroup_memory_peak_bytes = read_level(c, HOT_PEAK, tick->text);
	out->cgroup_memory_limit_bytes = c->limits.memory_bytes;
	out->cgroup_memory_available_bytes = fmin(c->limits.memory_bytes, c->limits.machine_bytes);
	out->cgroup_pids_current = read_level(c, HOT_PIDS, tick->text);
	out->cgroup_pids_limit = c->limits.pids;
	return 0;
}

static void cgroup_stop(void *state)
{
	struct cgroup *c = state;

	for (size_t i = 0; i < HOT_COUNT; i++)
		close_p(&c->fd[i]);
}

const struct collector collector_cgroup = {
	.name = "cgroup",
	.state_size = sizeof(struct cgroup),
	.start = cgroup_start,
	.read = cgroup_read,
	.stop = cgroup_stop,
};
