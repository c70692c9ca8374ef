/* rank_parts.c - what a rank used over its time. */
#include "rank_parts.h"

#include <float.h>
#include <math.h>

enum { SOURCES = 2 };

/* The metrics of the outline that add up to a line. */
static const enum total_metric sources[RANK_LINES][SOURCES] = {
	[RANK_CPU] = { METRIC_process_cpu_cores },
	[RANK_PSS] = { METRIC_process_pss_bytes },
	[RANK_RSS] = { METRIC_process_rss_bytes },
	[RANK_DISK] = { METRIC_process_disk_read_bytes, METRIC_process_disk_write_bytes },
	[RANK_NETWORK] = { METRIC_process_net_recv_bytes, METRIC_process_net_sent_bytes },
	[RANK_GPU] = { METRIC_process_gpu_utilization_gpus },
	[RANK_WAITING] = { 0 },                 /* read_waiting */
};

static size_t quantity_of(enum total_metric m)
{
	size_t i = 0;

	while (outline_metric(i) != &tables[TABLE_TOTAL].metrics[m - 1])
		i++;
	return i;
}

/* A level, or an amount by the time in which it is known. */
static double mean_of(const struct outline_point *p, size_t quantity)
{
	if (outline_metric(quantity)->kind != KIND_AMOUNT)
		return p->value[quantity];
	return p->known_seconds[quantity] > 0 ? p->value[quantity] / p->known_seconds[quantity] : NONE;
}

static double add(double sum, double value)
{
	return is_none(value) ? sum : is_none(sum) ? value : sum + value;
}

/*
 * A throttled thread waits for a CPU, too: its run delay has both.  It is counted when the thread runs again, so in a
 * short part one of the two can be the larger, and only over the whole run the run delay.  One of the two serves for
 * all parts: taken by turns, they would count a time twice.  The kernel counts throttled time for each CPU of the group
 * (cgroup-v2.rst, cpu.stat), of which the recorder can use one: of one thread it can be more than 1.
 */
static size_t waiting_for_cpu(const struct outline *outline)
{
	size_t delay = quantity_of(METRIC_process_run_delay_seconds);

	return outline_knows(outline, delay) ? delay : quantity_of(METRIC_cgroup_cpu_throttled_seconds);
}

static double begin_of(const struct outline *o, size_t k)
{
	return k > 0 ? o->at[k - 1].end_seconds : 0;
}

/* A wait is counted when it ends: what is longer than its point began in those before it that have none. */
static void add_waiting(double threads[OUTLINE_POINTS], const struct outline *o, size_t quantity)
{
	for (size_t k = 0; k < o->n; k++) {
		double seconds = o->at[k].value[quantity], end = o->at[k].end_seconds;
		size_t first = k;

		while (first > 0 && seconds > end - begin_of(o, first) && !(o->at[first - 1].value[quantity] > 0))
			first--;
		for (size_t i = first; i <= k && !is_none(seconds); i++)
			threads[i] = add(threads[i], seconds / (end - begin_of(o, first)));
	}
}

static float as_part(double value)
{
	return fabs(value) <= (double)FLT_MAX ? (float)value : (float)NONE;
}

static void read_waiting(struct rank_part *parts, const struct outline *o)
{
	double threads[OUTLINE_POINTS];

	for (size_t k = 0; k < o->n; k++)
		threads[k] = NONE;
	add_waiting(threads, o, waiting_for_cpu(o));
	add_waiting(threads, o, quantity_of(METRIC_process_block_delay_seconds));
	for (size_t k = 0; k < o->n; k++)
		parts[k].value[RANK_WAITING] = as_part(threads[k]);
}

static float value_of(const struct outline_point *p, enum rank_line line)
{
	double sum = NONE;

	for (size_t k = 0; k < SOURCES && sources[line][k]; k++)
		sum = add(sum, mean_of(p, quantity_of(sources[line][k])));
	return as_part(sum);
}

int rank_parts_read(struct rank_part **ret, size_t *ret_n, const struct outline *outline)
{
	size_t n = outline ? outline->n : 0;
	struct rank_part *parts = n > 0 ? calloc(n, sizeof *parts) : NULL;

	if (n > 0 && !parts)
		return -ENOMEM;

	for (size_t k = 0; k < n; k++) {
		parts[k].end_seconds = (float)outline->at[k].end_seconds;
		for (enum rank_line i = 0; i < RANK_LINES; i++)
			parts[k].value[i] = value_of(&outline->at[k], i);
	}
	if (n > 0)
		read_waiting(parts, outline);
	*ret = parts;
	*ret_n = n;
	return 0;
}
