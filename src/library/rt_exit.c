/* rt_exit.c - the exits of tracked processes, in Unix time. */
#include <time.h>

#include "rt_exit.h"
#include "rt_tracker.h"

int exit_give(struct rt_exit *ret, const struct tree_exit *e, double start_offset, double end_offset)
{
	struct rt_exit found = {
		.size = ret->size, .pid = e->pid, .parent = e->parent,
		.start_seconds = e->start_seconds + start_offset, .end_seconds = e->seen_seconds + end_offset,
		.cpu_seconds = e->cpu_seconds, .peak_rss_bytes = e->peak_rss_bytes, .exact = e->exact,
	};

	memcpy(found.name, e->name, size_min(sizeof found.name, sizeof e->name));
	found.name[sizeof found.name - 1] = '\0';
	return result_give(ret, found.size, &found, sizeof found);
}

static double seconds_of(clockid_t clock)
{
	struct timespec t = { 0 };

	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int rt_next_exit(struct rt_tracker *t, struct rt_exit *ret)
{
	struct tree *tree = t->sampler && opener_is_us(&t->opener) ? sampler_tree(t->sampler) : NULL;
	struct tree_exit e;

	if (ret->size < sizeof ret->size)
		return -EINVAL;
	if (!tree || !t->sampled || !tree_next_exit(tree, &e))
		return 0;

	/* Starts are in CLOCK_BOOTTIME, which continues while the machine sleeps, ends in CLOCK_MONOTONIC. */
	double unix_less_monotonic = (double)(t->sample->wall_ns - t->sample->monotonic_ns) / 1e9;
	double asleep = seconds_of(CLOCK_BOOTTIME) - seconds_of(CLOCK_MONOTONIC);
	int r = exit_give(ret, &e, unix_less_monotonic - asleep, unix_less_monotonic);

	return r < 0 ? r : 1;
}
