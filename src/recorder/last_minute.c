/* last_minute.c - the last minute of a run at a finer grain, within a budget. */
#include "last_minute.h"

#include <time.h>

#include "../collect/memory.h"
#include "../collect/pressure.h"

static const int64_t FINE_NS = NS_PER_SECOND / 10, CALM_NS = NS_PER_SECOND, SPACING_NS = NS_PER_SECOND / 11;
static const int64_t RESTLESS_NS = 3 * NS_PER_SECOND;
static const int64_t CREDIT_PER_SECOND_NS = 150000, CREDIT_FIRST_NS = 20000000, CREDIT_MOST_NS = 70000000;
static const int64_t WAKING_NS = 60000;         /* cost of waking up, which the clock around a poll does not see */
static const double MINUTE_SECONDS = 60;
static const double MORE_PROCESSES = 1.25, MORE_PROCESSES_LEAST = 8;

void last_minute_open(struct last_minute *l, int64_t start_ns, double memory_limit_bytes)
{
	l->start_ns = l->credited_ns = start_ns;
	l->restless_until_ns = start_ns + NS_PER_SECOND;
	l->memory_limit_bytes = memory_limit_bytes;
	l->credit_ns = CREDIT_FIRST_NS;
	l->meminfo = l->pressure = -1;
	l->opened = true;
}

void last_minute_close(struct last_minute *l)
{
	if (!l->opened)
		return;
	close_p(&l->meminfo);
	close_p(&l->pressure);
	text_release(&l->text);
}

static int64_t ns_of(const struct last_minute *l, const struct moment *m)
{
	return l->start_ns + (int64_t)(m->seconds * 1e9);
}

static struct moment *newest(struct last_minute *l)
{
	return l->n > 0 ? &l->ring[(l->first + l->n - 1) % MOMENTS] : NULL;
}

/* Whether `room` bytes are full within a minute at this rate; false if one of the two is NONE. */
static bool is_soon_full(double growth_per_second, double room)
{
	return growth_per_second > 0 && room < growth_per_second * MINUTE_SECONDS;
}

bool last_minute_is_restless(const struct moment *was, const struct moment *now, double memory_limit_bytes)
{
	double seconds = now->seconds - was->seconds;
	double growth = (now->rss_bytes - was->rss_bytes) / seconds;
	double shrinking = (was->available_bytes - now->available_bytes) / seconds;

	return seconds > 0 && (is_soon_full(growth, memory_limit_bytes - now->rss_bytes) ||
			       is_soon_full(growth, now->available_bytes) ||
			       is_soon_full(shrinking, now->available_bytes) ||
			       (now->processes >= MORE_PROCESSES * was->processes &&
				now->processes >= was->processes + MORE_PROCESSES_LEAST));
}

/* Adds a moment to the ring; skips samples that follow each other more closely than polls. */
static void add(struct last_minute *l, const struct moment *m)
{
	const struct moment *was = newest(l);

	if (was && ns_of(l, m) - ns_of(l, was) < SPACING_NS)
		return;
	if (was && last_minute_is_restless(was, m, l->memory_limit_bytes))
		l->restless_until_ns = ns_of(l, m) + RESTLESS_NS;
	if (l->n == MOMENTS) {
		l->first = (l->first + 1) % MOMENTS;
		l->n--;
	}
	l->ring[(l->first + l->n++) % MOMENTS] = *m;
}

static void take_sums(struct moment *m, const struct tree_sums *sums)
{
	m->cpu_seconds = sums->cpu_seconds;
	m->processes = (double)sums->processes;
	if (sums->rss_bytes > 0)                        /* 0: all processes have ended or are exiting */
		m->rss_bytes = sums->rss_bytes;
}

static struct moment moment_at(const struct last_minute *l, int64_t now_ns)
{
	return (struct moment){ (double)(now_ns - l->start_ns) / 1e9, NONE, NONE, NONE, NONE, NONE };
}

/* Total time since boot in which at least one task waited for memory. */
static double memory_stall_seconds(struct last_minute *l)
{
	struct pressure_times times = { 0 };

	if (l->pressure < 0 || text_read(&l->text, l->pressure) < 0 ||
	    pressure_parse(&times, l->text.at, l->text.len) < 0 || !times.has_some)
		return NONE;
	return (double)times.some / 1e6;
}

void last_minute_sample(struct last_minute *l, const struct sample *s, const struct tree *tree)
{
	struct moment m = moment_at(l, s->monotonic_ns);
	struct tree_sums sums;

	if (!l->opened)
		return;
	if (tree) {
		tree_sums(tree, &sums);
		take_sums(&m, &sums);
	}
	m.available_bytes = s->total.memory_available_bytes;
	if (s->monotonic_ns < l->restless_until_ns)
		m.memory_stall_seconds = memory_stall_seconds(l);
	l->memory_limit_bytes = s->total.cgroup_memory_limit_bytes;
	add(l, &m);
}

static double available_bytes(struct last_minute *l)
{
	struct totals all = { .memory_available_bytes = NONE };
	struct meminfo now;

	if (l->meminfo >= 0 && text_read(&l->text, l->meminfo) == 0 &&
	    meminfo_parse(&now, l->text.at, l->text.len, NULL) == 0)
		meminfo_derive(&all, &now);
	return all.memory_available_bytes;
}

static int64_t own_cpu_ns(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

static void pay(struct last_minute *l, int64_t now_ns, int64_t cost_ns)
{
	double earned = (double)(now_ns - l->credited_ns) / 1e9 * (double)CREDIT_PER_SECOND_NS;

	l->credited_ns = now_ns;
	l->credit_ns += (int64_t)earned;
	if (l->credit_ns > CREDIT_MOST_NS)
		l->credit_ns = CREDIT_MOST_NS;
	l->credit_ns -= cost_ns + WAKING_NS;
}

void last_minute_poll(struct last_minute *l, const struct source *src, struct tree *tree)
{
	int64_t now_ns = src->monotonic_ns(src->clock), began_ns = own_cpu_ns();
	struct moment m = moment_at(l, now_ns);
	struct tree_sums sums;

	if (l->meminfo < 0)
		l->meminfo = source_open_file(src->proc, "meminfo");
	if (l->pressure < 0)
		l->pressure = source_open_file(src->proc, "pressure/memory");
	tree_poll(tree, &sums);
	take_sums(&m, &sums);
	m.available_bytes = available_bytes(l);
	m.memory_stall_seconds = memory_stall_seconds(l);
	add(l, &m);
	pay(l, now_ns, own_cpu_ns() - began_ns);
}

int64_t last_minute_due(const struct last_minute *l, int64_t now_ns, int64_t sample_ns)
{
	bool restless = now_ns < l->restless_until_ns;
	/* A poll is paid for afterwards, as its cost is not known before. */
	double wait = l->credit_ns > 0 ? 0 : (double)-l->credit_ns / (double)CREDIT_PER_SECOND_NS * 1e9;
	int64_t due_ns = now_ns + (restless ? FINE_NS : CALM_NS);

	if (due_ns < l->credited_ns + (int64_t)wait)
		due_ns = l->credited_ns + (int64_t)wait;
	return l->opened && due_ns + SPACING_NS <= sample_ns ? due_ns : 0;
}

size_t last_minute_moments(const struct last_minute *l, struct moment ret[MOMENTS])
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct moment *m = &l->ring[(l->first + i) % MOMENTS];

		if (m->seconds >= l->ring[(l->first + l->n - 1) % MOMENTS].seconds - MINUTE_SECONDS)
			ret[n++] = *m;
	}
	return n;
}
