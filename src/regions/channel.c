/* channel.c - the shared memory in which a command reports its regions. */
#include "channel.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U                 /* since Linux 6.3 */
#endif

static const double SHORT_NS = 100e3, CARRY_NS = 10e3;
static const double PAGES_MAX = 1e15;           /* more than any machine has: not written by our header */

static int64_t monotonic_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

/* 0: there is no code for the counter of this architecture. */
static uint64_t cpu_counter(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

/* One instant by both clocks.  Reads again after an interruption: early in a run, an error of 1 ms spoils the rate. */
static void both_clocks(int64_t *ns, uint64_t *tick)
{
	enum { TRIES = 8, TICKS_FEW = 1000 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES && least > TICKS_FEW; i++) {
		uint64_t before = cpu_counter();
		int64_t now_ns = monotonic_ns();
		uint64_t took = cpu_counter() - before;

		if (took >= least)
			continue;
		least = took;
		*ns = now_ns;
		*tick = before + took / 2;
	}
}

int channel_open_memory(struct channel *c)
{
	void *at = MAP_FAILED;

	c->fd = -1;
	c->fd = memfd_create(RT_REGION_MEMFD, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
	if (c->fd < 0 && errno == EINVAL)
		c->fd = memfd_create(RT_REGION_MEMFD, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (c->fd < 0)
		return -errno;
	if (ftruncate(c->fd, sizeof *c->memory) == 0 &&
	    fcntl(c->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		at = mmap(NULL, sizeof *c->memory, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
	if (at == MAP_FAILED) {
		int error = errno;

		close_p(&c->fd);
		return -error;
	}
	c->memory = at;
	c->reader.channel = at;
	both_clocks(&c->clock.first_ns, &c->clock.first_tick);
	return 0;
}

void channel_close(struct channel *c)
{
	if (!c->memory)
		return;
	(void)munmap(c->memory, sizeof *c->memory);
	close_p(&c->fd);
	region_sums_release(&c->gone);
	c->memory = NULL;
}

void channel_address(char *ret, size_t size, const struct channel *c)
{
	(void)snprintf(ret, size, "/proc/%d/fd/%d", (int)getpid(), c->fd);
}

static void measure_rate(struct channel_clock *k)
{
	int64_t now_ns = 0;
	uint64_t tick = 0;

	both_clocks(&now_ns, &tick);
	if (k->cpu_counter && tick > k->first_tick && now_ns > k->first_ns)
		k->ns_per_tick = (double)(now_ns - k->first_ns) / (double)(tick - k->first_tick);
}

void channel_start(struct channel *c, const struct source *src, double call_least_ns)
{
	struct rt_region_channel *m = c->memory;
	char name[16];

	if (!m)
		return;
	c->live = src->live;
	c->start_ns = c->now_ns = src->live ? monotonic_ns() : src->monotonic_ns(src->clock);
	c->clock.cpu_counter = src->live && cpu_counter() != 0 &&
			       source_read_line(name, sizeof name, src->sys,
						"devices/system/clocksource/clocksource0/current_clocksource") == 0 &&
			       strcmp(name, "tsc") == 0;
	c->clock.ns_per_tick = 1;
	measure_rate(&c->clock);
	m->bytes = sizeof *m;
	m->cpu_counter = c->clock.cpu_counter;
	m->ns_per_tick = (uint64_t)(c->clock.ns_per_tick * 4294967296.0);
	m->short_ticks = (uint64_t)(SHORT_NS / c->clock.ns_per_tick);
	m->carry_ticks = (uint64_t)(CARRY_NS / c->clock.ns_per_tick);
	m->call_least = (uint64_t)(call_least_ns / c->clock.ns_per_tick);
	m->asks = c->reported ? RT_REGION_ASKS_MEMORY : 0;
	c->page_bytes = src->page_bytes;
	__atomic_store_n(&m->magic, RT_REGION_MAGIC, __ATOMIC_RELEASE);
}

uint32_t *channel_number(const struct channel *c)
{
	return &c->memory->called;
}

void channel_listen(struct channel *c, int64_t credit_ns)
{
	c->memory->call_credit = (uint64_t)((double)credit_ns / c->clock.ns_per_tick);
	__atomic_store_n(&c->memory->call_next, 0, __ATOMIC_RELEASE);
}

uint32_t channel_answer(struct channel *c, int64_t every_ns)
{
	uint32_t called = __atomic_load_n(&c->memory->called, __ATOMIC_ACQUIRE);

	__atomic_store_n(&c->memory->call_ticks, (uint64_t)((double)every_ns / c->clock.ns_per_tick), __ATOMIC_RELAXED);
	__atomic_store_n(&c->memory->answered, called, __ATOMIC_RELEASE);
	return called;
}

static double since_first(const struct channel_clock *k, uint64_t tick)
{
	return k->cpu_counter ? (double)(int64_t)(tick - k->first_tick) * k->ns_per_tick :
				(double)(int64_t)(tick - (uint64_t)k->first_ns);
}

/* `tick` can be any number; the result is always a time within the run. */
static int64_t ns_of(const struct channel *c, uint64_t tick)
{
	const struct channel_clock *k = &c->clock;
	double ns = since_first(k, tick);

	if (ns < (double)(c->start_ns - k->first_ns))
		return c->start_ns;
	return ns > (double)(c->now_ns - k->first_ns) ? c->now_ns : k->first_ns + (int64_t)ns;
}

/* ---- threads that have ended --------------------------------------------------------------- */

static bool is_gone(uint64_t owner)
{
	return syscall(SYS_tgkill, (int)(owner >> 32), (int)(uint32_t)owner, 0) < 0 && errno == ESRCH;
}

/* Ends the open entries of the lane now, and frees it; not if a new thread has taken the lane and done so itself. */
static void end_lane(struct channel *c, uint32_t lane, uint64_t owner)
{
	struct rt_region_lane *at = &c->memory->lane[lane];
	struct channel_open open[RT_REGION_DEPTH];
	size_t n = channel_open(open, c->memory, lane);
	uint64_t ours = UINT64_MAX;

	if (!__atomic_compare_exchange_n(&at->owner, &owner, ours, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	c->n_dead = c->next_dead = 0;
	for (size_t i = 0; i < n; i++) {
		struct region_event *e = &c->dead[c->n_dead];

		*e = (struct region_event){
			.kind = REGION_ENTRY, .unfinished = true, .tid = (uint32_t)owner,
			.monotonic_ns = ns_of(c, open[i].begin), .cpu_seconds = NONE,
		};
		channel_path(e->path, c->memory, open[i].path);
		if (open[i].recursed) {
			region_sums_add_recursed(&c->gone, e->path);
			continue;
		}
		e->seconds = (double)(c->now_ns - e->monotonic_ns) / 1e9;

		struct region_visit visit = {
			.wall = (uint64_t)(e->seconds * 1e9 / c->clock.ns_per_tick), .unfinished = true,
		};

		region_sums_add(&c->gone, e->path, &visit);
		c->n_dead++;
	}
	at->depth = 0;
	__atomic_compare_exchange_n(&at->owner, &ours, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void channel_drain(struct channel *c, const struct source *src, bool last)
{
	c->now_ns = src->live ? monotonic_ns() : src->monotonic_ns(src->clock);
	c->lane = 0;
	c->last = last;
	c->n_dead = c->next_dead = 0;
	if (!c->memory || channel_lanes(c->memory) == 0)
		return;
	measure_rate(&c->clock);
	channel_pass(&c->reader);
}

static bool next_dead(struct channel *c, struct region_event *ret)
{
	for (uint32_t n = channel_lanes(c->memory); c->next_dead == c->n_dead; c->lane++) {
		if (c->lane >= n)
			return false;

		uint64_t owner = channel_owner(c->memory, c->lane);

		if (owner != 0 && (c->last || is_gone(owner)))
			end_lane(c, c->lane, owner);
	}
	*ret = c->dead[c->next_dead++];
	return true;
}

static void take_memory(struct channel *c, const struct channel_item *item)
{
	struct rt_region_memory note;

	memcpy(&note, item->text, sizeof note);
	if (c->reported && item->value > 0 && item->value < PAGES_MAX && note.pid > 0 && note.pid <= INT32_MAX)
		memory_notes_add(c->reported, &(struct memory_note){
			.pid = (pid_t)note.pid, .from_ns = ns_of(c, item->at), .until_ns = ns_of(c, note.until),
			.rss_bytes = item->value * (double)c->page_bytes,
		});
}

/* An item was written after the clock was read: reads the clock again, as no item is newer than now. */
static void come_to_now(struct channel *c, const struct channel_item *item)
{
	double wall = item->kind == REGION_ENTRY ? (double)item->wall * c->clock.ns_per_tick : 0;

	if (c->live && since_first(&c->clock, item->at) + wall > (double)(c->now_ns - c->clock.first_ns))
		c->now_ns = monotonic_ns();
}

bool channel_next_event(struct channel *c, struct region_event *ret)
{
	struct channel_item item;

	if (!c->memory || channel_lanes(c->memory) == 0)
		return false;
	do {
		if (!channel_next(&c->reader, &item))
			return next_dead(c, ret);
		come_to_now(c, &item);
		if (item.memory)
			take_memory(c, &item);
	} while (item.memory);
	if ((double)item.wall * c->clock.ns_per_tick > (double)(c->now_ns - c->clock.first_ns) * 1.01)
		item.wall = item.cpu_ns = 0;            /* longer than the run */
	*ret = (struct region_event){
		.kind = item.kind, .value = item.value, .monotonic_ns = ns_of(c, item.at), .tid = item.tid,
		.seconds = item.kind == REGION_ENTRY ? (double)item.wall * c->clock.ns_per_tick / 1e9 : NONE,
		.cpu_seconds = item.kind == REGION_ENTRY ? (double)item.cpu_ns / 1e9 : NONE,
	};
	if (item.path != 0)
		channel_path(ret->path, c->memory, item.path);
	memcpy(ret->text, item.text, size_min(sizeof item.text, sizeof ret->text));
	return true;
}

static void share_open(struct channel *c, struct attribution *to, uint32_t lane)
{
	struct channel_open open[RT_REGION_DEPTH];
	char path[REGION_PATH_SIZE];
	size_t n = channel_open(open, c->memory, lane);

	for (size_t i = 0; i < n; i++) {
		if (open[i].recursed)
			continue;
		channel_path(path, c->memory, open[i].path);
		attribution_open(to, path, ns_of(c, open[i].begin), INT64_MAX);
	}
}

void channel_share(struct channel *c, struct attribution *to)
{
	uint64_t ticks[RT_REGION_PATHS];
	char path[REGION_PATH_SIZE];
	uint32_t n = c->memory ? channel_lanes(c->memory) : 0;

	if (n == 0)
		return;
	for (uint32_t lane = 0; lane < n; lane++)
		if (channel_owner(c->memory, lane) != 0)
			share_open(c, to, lane);
	channel_short(&c->reader, ticks);
	for (uint32_t i = 1; i < RT_REGION_PATHS; i++) {
		double ns = (double)ticks[i] * c->clock.ns_per_tick;

		if (ticks[i] == 0)
			continue;
		channel_path(path, c->memory, i);
		attribution_short(to, path, ns < (double)(c->now_ns - c->clock.first_ns) ?
						    (int64_t)ns : c->now_ns - c->clock.first_ns);
	}
}

int channel_totals(struct region_totals *ret, const struct channel *c, const struct region_sums *more)
{
	struct region_sums all = { 0 };
	int r;

	if (c->memory) {
		double ticks = (double)(monotonic_ns() - c->clock.first_ns) / c->clock.ns_per_tick;

		channel_sum(&all, c->memory, (uint64_t)(ticks * 1.01));
		region_sums_merge(&all, &c->gone, 1);
		all.lost += channel_lost(c->memory) + c->reader.unseen_notes;
	}
	if (more)
		region_sums_merge(&all, more, c->memory ? 1 / c->clock.ns_per_tick : 1);
	r = region_sums_totals(ret, &all, c->memory ? c->clock.ns_per_tick : 1);
	if (r == 0)
		ret->unreported = c->reader.unseen;
	region_sums_release(&all);
	return r;
}
