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
	[RANK_WAITING] = { METRIC_process_block_delay_seconds },        /* and for CPUs: waiting_for_cpu */
};

static const struct metric *metric_of(enum total_metric m)
{
	return &tables[TABLE_TOTAL].metrics[m - 1];
}

/* A level, or an amount by the time in which it is known. */
static double mean_of(const struct outline_point *p, const struct metric *m)
{
	for (size_t i = 0; i < OUTLINE_QUANTITIES; i++) {
		if (outline_metric(i) != m)
			continue;
		if (m->kind != KIND_AMOUNT)
			return p->value[i];
		return p->known_seconds[i] > 0 ? p->value[i] / p->known_seconds[i] : NONE;
	}
	return NONE;
}

static double add(double sum, double value)
{
	return is_none(value) ? sum : is_none(sum) ? value : sum + value;
}

/*
 * A throttled thread waits for a CPU, too: its run delay has both.  It is counted when the thread runs again, so in a
 * short part one of the two can be the larger, and only over the whole run the run delay.  One of the two serves for
 * all parts: taken by turns, they would count a time twice.
 */
static const struct metric *waiting_for_cpu(const struct outline *outline)
{
	const struct metric *delay = metric_of(METRIC_process_run_delay_seconds);

	for (size_t k = 0; k < outline->n; k++)
		if (!is_none(mean_of(&outline->at[k], delay)))
			return delay;
	return metric_of(METRIC_cgroup_cpu_throttled_seconds);
}

static float value_of(const struct outline_point *p, enum rank_line line, const struct metric *waiting)
{
	double sum = line == RANK_WAITING ? mean_of(p, waiting) : NONE;

	for (size_t k = 0; k < SOURCES && sources[line][k]; k++)
		sum = add(sum, mean_of(p, metric_of(sources[line][k])));
	return fabs(sum) <= (double)FLT_MAX ? (float)sum : (float)NONE;
}

int rank_parts_read(struct rank_part **ret, size_t *ret_n, const struct outline *outline)
{
	size_t n = outline ? outline->n : 0;
	struct rank_part *parts = n > 0 ? calloc(n, sizeof *parts) : NULL;

	if (n > 0 && !parts)
		return -ENOMEM;

	const struct metric *waiting = n > 0 ? waiting_for_cpu(outline) : NULL;

	for (size_t k = 0; k < n; k++) {
		parts[k].end_seconds = (float)outline->at[k].end_seconds;
		for (enum rank_line i = 0; i < RANK_LINES; i++)
			parts[k].value[i] = value_of(&outline->at[k], i, waiting);
	}
	*ret = parts;
	*ret_n = n;
	return 0;
}
