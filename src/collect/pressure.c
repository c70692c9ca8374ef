/* pressure.c - pressure stall information of the machine and of the group.  Documentation/accounting/psi.rst */
#include "pressure.h"

#include <string.h>

#include "../core/collector.h"
#include "../core/scan.h"
#include "../kernel/cgroup_path.h"

enum { RESOURCE_CPU, RESOURCE_MEMORY, RESOURCE_IO, RESOURCE_COUNT };
enum { FIND_AGAIN_SECONDS = 10 };

struct stall {                                  /* one file and its last values */
	int  fd;
	bool primed;
	struct pressure_times was;
};

struct seconds { double *some, *full; };        /* destinations; full can be NULL */

struct pressure {
	struct stall machine[RESOURCE_COUNT], group[RESOURCE_COUNT];
	bool group_is_machine;                  /* the kernel returns the same numbers for both: psi.h, cgroup_psi() */
	struct cgroup_finder finder;
	int64_t due_ns;                         /* when to check again which group it is */
};

int pressure_parse(struct pressure_times *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	struct pressure_times t = { 0 };

	do {
		bool some = scan_literal(&s, "some "), more = some || scan_literal(&s, "full ");
		struct word other;

		while (more && !scan_literal(&s, "total="))
			more = scan_until(&s, ' ', &other);
		if (!more)
			continue;
		if (some)
			t.has_some = scan_u64(&s, &t.some);
		else
			t.has_full = scan_u64(&s, &t.full);
	} while (scan_next_line(&s));
	if (!t.has_some && !t.has_full)
		return -EBADMSG;
	*ret = t;
	return 0;
}

static int read_stall(struct stall *st, struct text *text, const struct seconds *to)
{
	struct pressure_times now = { 0 };

	if (st->fd < 0)
		return 0;

	int r = text_read(text, st->fd);
	if (r == 0)
		r = pressure_parse(&now, text->at, text->len);
	if (r < 0) {
		st->primed = false;
		return r;
	}
	if (st->primed && now.has_some && st->was.has_some)
		*to->some = gained(st->was.some, now.some) / 1e6;
	if (to->full && st->primed && now.has_full && st->was.has_full)
		*to->full = gained(st->was.full, now.full) / 1e6;
	st->was = now;
	st->primed = true;
	return 0;
}

/* Reads all three; -errno of one that failed: -ENODEV if the group was removed. */
static int read_stalls(struct stall *stalls, struct text *text, const struct seconds *to)
{
	int failed = 0;

	for (size_t i = 0; i < RESOURCE_COUNT; i++) {
		int r = read_stall(&stalls[i], text, &to[i]);

		if (r < 0)
			failed = r;
	}
	return failed;
}

static void repeat(const struct seconds *to, const struct seconds *from)
{
	*to->some = *from->some;
	if (to->full)
		*to->full = *from->full;
}

static void close_group(struct pressure *p)
{
	for (size_t i = 0; i < RESOURCE_COUNT; i++) {
		close_p(&p->group[i].fd);
		p->group[i].primed = false;
	}
}

static void find_group(struct pressure *p, struct text *text)
{
	static const char *const files[RESOURCE_COUNT] = { "cpu.pressure", "memory.pressure", "io.pressure" };
	const struct cgroup_place *place = &p->finder.place[HIERARCHY_V2];

	/* After the process has ended, its group is read for as long as the group exists. */
	if (cgroup_find(&p->finder, text) <= 0)
		return;
	close_group(p);
	p->group_is_machine = cgroup_is_machine(&p->finder);
	for (size_t i = 0; i < RESOURCE_COUNT && cgroup_is_found(place) && !p->group_is_machine; i++)
		p->group[i].fd = cgroup_open(p->finder.src, place, strlen(place->path), files[i]);
}

/* Kernels booted with psi=0 can have the files but refuse to read them: kernel/sched/psi.c, psi_show(). */
static int try_machine(struct pressure *p, struct text *text)
{
	int r = -ENODATA;

	for (size_t i = 0; i < RESOURCE_COUNT; i++) {
		if (p->machine[i].fd < 0)
			continue;
		r = text_read(text, p->machine[i].fd);
		if (r == 0)
			return 0;
	}
	return r;
}

static int pressure_start(void *state, const struct setup *setup, struct why *why)
{
	static const char *const files[RESOURCE_COUNT] = { "pressure/cpu", "pressure/memory", "pressure/io" };
	struct pressure *p = state;
	struct text text = { 0 };

	p->finder.src = setup->src;
	p->finder.pid = setup->pid;
	for (size_t i = 0; i < RESOURCE_COUNT; i++) {
		p->machine[i].fd = source_open_file(setup->src->proc, files[i]);
		p->group[i].fd = -1;
	}

	int r = try_machine(p, &text);

	if (r == 0)
		find_group(p, &text);
	p->due_ns = setup->src->monotonic_ns(setup->src->clock) + FIND_AGAIN_SECONDS * NS_PER_SECOND;
	text_release(&text);
	if (r == -EOPNOTSUPP)
		return why_set(why, r, "the kernel's pressure stall information is off (boot with psi=1)");
	if (r < 0 && r != -ENODATA)
		return why_set(why, r, "cannot read /proc/pressure: %s", strerror(-r));
	return r;
}

static int pressure_read(void *state, struct tick *tick)
{
	struct pressure *p = state;
	struct totals *out = &tick->out->total;
	int64_t now_ns = tick->out->monotonic_ns;
	int r;
	/* `full` of a CPU has no meaning for a machine; for a group it repeats its throttling. */
	const struct seconds machine[RESOURCE_COUNT] = {
		{ &out->pressure_cpu_some_seconds, NULL },
		{ &out->pressure_memory_some_seconds, &out->pressure_memory_full_seconds },
		{ &out->pressure_io_some_seconds, &out->pressure_io_full_seconds },
	};
	const struct seconds group[RESOURCE_COUNT] = {
		{ &out->pressure_cgroup_cpu_some_seconds, NULL },
		{ &out->pressure_cgroup_memory_some_seconds, &out->pressure_cgroup_memory_full_seconds },
		{ &out->pressure_cgroup_io_some_seconds, &out->pressure_cgroup_io_full_seconds },
	};

	if (now_ns >= p->due_ns || tick->group) {
		if (!tick->group || tick->group != p->finder.fingerprint)
			find_group(p, tick->text);
		p->due_ns = now_ns + FIND_AGAIN_SECONDS * NS_PER_SECOND;
	}
	(void)!read_stalls(p->machine, tick->text, machine);
	if (p->group_is_machine)
		for (size_t i = 0; i < RESOURCE_COUNT; i++)
			repeat(&group[i], &machine[i]);
	r = read_stalls(p->group, tick->text, group);
	if (r < 0) {                            /* the group was removed, or its pressure disabled */
		close_group(p);
		p->finder.fingerprint = 0;
	}
	return 0;
}

static void pressure_stop(void *state)
{
	struct pressure *p = state;

	for (size_t i = 0; i < RESOURCE_COUNT; i++)
		close_p(&p->machine[i].fd);
	close_group(p);
}

const struct collector collector_pressure = {
	.state_size = sizeof(struct pressure),
	.start = pressure_start,
	.read = pressure_read,
	.stop = pressure_stop,
};
