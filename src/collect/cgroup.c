/* cgroup.c - the job's control group: its use and its limits. */
#include <string.h>

#include "../core/collector.h"
#include "../core/fields.h"
#include "../kernel/cgroup_parse.h"
#include "cgroup_limits.h"
#include "memory.h"

enum { LIMITS_AGAIN_SECONDS = 10 };

enum hot {                                      /* files read at every sample */
	HOT_USAGE, HOT_SPLIT, HOT_THROTTLING, HOT_CURRENT, HOT_PEAK, HOT_EVENTS, HOT_FAILURES, HOT_PIDS, HOT_REFUSED,
	HOT_COUNT,
};

struct cgroup {
	struct cgroup_finder finder;
	int  membership;
	int  fd[HOT_COUNT];
	bool usage_is_v2, throttling_is_usage;  /* one text can hold both */
	bool lost;                              /* the group was removed: find it again at once */
	bool primed;
	int64_t due_ns;                         /* when to check again the group and its limits */
	struct cgroup_limits limits;
	double machine_bytes;                   /* MemTotal, unless another collector reports it; NONE: to be read */
	struct cgroup_counters was;
};

/*
 * cpu.stat of version 2 reports the CPU time of every group, even if the cpu controller is in version 1; but then all
 * processes may be in its root group, and cpuacct is more precise.
 */
static const struct cgroup_place *usage_place(const struct cgroup *c)
{
	const struct cgroup_place *v2 = &c->finder.place[HIERARCHY_V2];

	return cgroup_is_found(v2) && v2->path[0] ? v2 : cgroup_place_of(&c->finder, HIERARCHY_CPUACCT);
}

static int open_by_version(const struct cgroup *c, enum hierarchy v1, const char *v1_file,
			   const char *v2_file)
{
	const struct cgroup_place *p = cgroup_place_of(&c->finder, v1);
	const char *file = cgroup_is_v2(&c->finder, p) ? v2_file : v1_file;

	return file && cgroup_is_found(p) ? cgroup_open_nearest(c->finder.src, p, file) : -ENOENT;
}

static void open_hot(struct cgroup *c)
{
	const struct source *src = c->finder.src;
	const struct cgroup_place *usage = usage_place(c), *cpu = cgroup_place_of(&c->finder, HIERARCHY_CPU);

	for (size_t i = 0; i < HOT_COUNT; i++)
		close_p(&c->fd[i]);
	c->primed = false;

	c->usage_is_v2 = cgroup_is_v2(&c->finder, usage);
	c->throttling_is_usage = usage == cpu && c->usage_is_v2 && c->limits.quota_length == strlen(cpu->path);
	if (cgroup_is_found(usage)) {
		size_t length = strlen(usage->path);

		if (c->usage_is_v2) {
			c->fd[HOT_USAGE] = cgroup_open(src, usage, length, "cpu.stat");
		} else {
			c->fd[HOT_USAGE] = cgroup_open(src, usage, length, "cpuacct.usage");
			c->fd[HOT_SPLIT] = cgroup_open(src, usage, length, "cpuacct.stat");
		}
	}
	if (cgroup_is_found(cpu) && !c->throttling_is_usage)
		c->fd[HOT_THROTTLING] = cgroup_open(src, cpu, c->limits.quota_length, "cpu.stat");
	c->fd[HOT_CURRENT] = open_by_version(c, HIERARCHY_MEMORY, "memory.usage_in_bytes", "memory.current");
	c->fd[HOT_PEAK] = open_by_version(c, HIERARCHY_MEMORY, "memory.max_usage_in_bytes", "memory.peak");
	c->fd[HOT_EVENTS] = open_by_version(c, HIERARCHY_MEMORY, "memory.oom_control", "memory.events.local");
	if (c->fd[HOT_EVENTS] < 0)              /* before Linux 5.2; includes the groups below */
		c->fd[HOT_EVENTS] = open_by_version(c, HIERARCHY_MEMORY, NULL, "memory.events");
	c->fd[HOT_FAILURES] = open_by_version(c, HIERARCHY_MEMORY, "memory.failcnt", NULL);
	c->fd[HOT_PIDS] = open_by_version(c, HIERARCHY_PIDS, "pids.current", "pids.current");
	c->fd[HOT_REFUSED] = open_by_version(c, HIERARCHY_PIDS, "pids.events", "pids.events");
}

/* Reads the group and its limits every few seconds: the job can be moved, and the limits changed, while it runs. */
static int check_again(struct cgroup *c, struct text *text)
{
	size_t quota_length = c->limits.quota_length;
	int changed = cgroup_find(&c->finder, text);

	c->machine_bytes = NONE;
	if (changed < 0 && c->finder.fingerprint == 0)
		return changed;
	if (changed > 0)
		cgroup_limits_close(&c->limits);
	cgroup_limits_read(&c->limits, &c->finder, text);
	if (changed > 0 || quota_length != c->limits.quota_length)
		open_hot(c);
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
	c->finder.membership = &c->membership;
	c->membership = -1;
	c->limits = cgroup_limits_none();
	for (size_t i = 0; i < HOT_COUNT; i++)
		c->fd[i] = -1;

	int r = check_again(c, &text);

	c->due_ns = setup->src->monotonic_ns(setup->src->clock) + LIMITS_AGAIN_SECONDS * NS_PER_SECOND;
	text_release(&text);
	for (size_t h = 0; h < HIERARCHY_COUNT; h++)
		any = any || cgroup_is_found(&c->finder.place[h]);
	return r < 0 || !any ? -ENODATA : 0;
}

static bool read_hot(struct cgroup *c, enum hot which, struct text *text)
{
	int r = c->fd[which] < 0 ? -EBADF : text_read(text, c->fd[which]);

	/* Files of a removed group return ENODEV: fs/kernfs/file.c */
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
	if (read_hot(c, HOT_REFUSED, text))
		cgroup_parse_pids_events(now, text->at, text->len);
}

static double machine_bytes(struct cgroup *c, const struct tick *tick)
{
	struct meminfo m;

	if (!is_none(tick->out->total.memory_total_bytes))
		return tick->out->total.memory_total_bytes;
	if (is_none(c->machine_bytes) && text_read_at(tick->text, tick->src->proc, "meminfo") == 0 &&
	    meminfo_parse(&m, tick->text->at, tick->text->len, NULL) == 0 && fields_has(m.found, MEMINFO_TOTAL))
		c->machine_bytes = 1024 * (double)m.value[MEMINFO_TOTAL];
	return c->machine_bytes;
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
		(void)!check_again(c, tick->text);
		tick->group = c->finder.fingerprint;
		c->due_ns = tick->out->monotonic_ns + LIMITS_AGAIN_SECONDS * NS_PER_SECOND;
	}
	read_counters(c, &now, tick);
	if (c->primed)
		cgroup_derive(out, &c->was, &now, tick->out->interval_seconds);
	c->was = now;
	c->primed = true;

	out->cgroup_cpu_quota_cores = c->limits.quota_cores;
	if (!cgroup_is_hidden(&c->finder, HIERARCHY_CPU))
		out->cgroup_cpu_available_cores = least_known(c->limits.quota_cores, c->limits.affinity_cores);
	out->cgroup_memory_current_bytes = read_level(c, HOT_CURRENT, tick->text);
	out->cgroup_memory_peak_bytes = read_level(c, HOT_PEAK, tick->text);
	out->cgroup_memory_limit_bytes = c->limits.memory_bytes;
	if (!cgroup_is_hidden(&c->finder, HIERARCHY_MEMORY))
		out->cgroup_memory_available_bytes = least_known(c->limits.memory_bytes, machine_bytes(c, tick));
	out->cgroup_pids_current = read_level(c, HOT_PIDS, tick->text);
	out->cgroup_pids_limit = c->limits.pids;
	return 0;
}

static void cgroup_stop(void *state)
{
	struct cgroup *c = state;

	for (size_t i = 0; i < HOT_COUNT; i++)
		close_p(&c->fd[i]);
	close_p(&c->membership);
	cgroup_limits_close(&c->limits);
}

const struct collector collector_cgroup = {
	.state_size = sizeof(struct cgroup),
	.start = cgroup_start,
	.read = cgroup_read,
	.stop = cgroup_stop,
};
