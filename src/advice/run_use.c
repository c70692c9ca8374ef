/* run_use.c - what one run had, used and lacked, from its digest. */
#include "run_use.h"

#include <string.h>

#include "../summary/summary_parts.h"

static const double WATCHED_LEAST = 0.5;        /* of the CPU time: from here on the measured waits represent all */
static const double EXTRAPOLATED_MOST = 1.25;   /* more than that, a burst at the end would be counted as waits */

static struct statistic total(const struct digest *d, enum total_metric m)
{
	return summary_total(d->whole, m);
}

static double percentile(const struct digest *d, size_t offset, double share)
{
	const struct table_info *info = &tables[TABLE_TOTAL];

	for (size_t i = 0; i < info->n_metrics; i++)
		if (info->metrics[i].offset == offset)
			return distribution_at(&d->of[i], share);
	return NONE;
}

/*
 * Threads that ended before they could be measured are assumed to wait as the others do, but only for a quarter of the
 * waits that were measured: a thread that waited at first and then ran alone to its end did not wait there.
 */
static double wanted_cores(const struct digest *d, double mean)
{
	double cpu = total(d, METRIC_process_cpu_seconds).sum;
	double watched = total(d, METRIC_process_watched_cpu_seconds).sum;
	double waited = total(d, METRIC_process_run_delay_seconds).sum;

	if (!(watched > 0) || !(watched >= WATCHED_LEAST * cpu) || is_none(waited) || !(d->seconds > 0))
		return NONE;
	return mean + waited * fmin(fmax(cpu / watched, 1), EXTRAPOLATED_MOST) / d->seconds;
}

static void read_cpu(struct run_use *u, const struct digest *d)
{
	double periods = total(d, METRIC_cgroup_cpu_periods).sum;
	double machine = total(d, METRIC_cpu_count).last, could = total(d, METRIC_cgroup_cpu_available_cores).maximum;

	u->cpu_mean_cores = quantity_value(&d->values, QUANTITY_mean_cpu);
	u->cpu_peak_cores = quantity_value(&d->values, QUANTITY_peak_cpu);
	u->cpu_p95_cores = percentile(d, u->tracked ? offsetof(struct totals, process_cpu_cores)
						    : offsetof(struct totals, cpu_utilization_cores), 0.95);
	u->cpu_wanted_cores = u->tracked ? wanted_cores(d, u->cpu_mean_cores) : NONE;
	u->cpu_machine_cores = is_none(machine) ? d->facts->host.cpus : machine;
	u->cpu_had_cores = u->tracked ? least_known(u->cpu_machine_cores, could) : u->cpu_machine_cores;
	u->cpu_quota_cores = total(d, METRIC_cgroup_cpu_quota_cores).maximum;
	if (periods > 0)
		u->cpu_throttled_share = total(d, METRIC_cgroup_cpu_throttled_periods).sum / periods;
}

static void read_memory(struct run_use *u, const struct digest *d)
{
	struct statistic group = total(d, METRIC_cgroup_memory_peak_bytes);
	double machine = total(d, METRIC_memory_total_bytes).last;

	u->pss = u->tracked && !is_none(total(d, METRIC_process_pss_bytes).maximum);
	/* In a sample: the peak of one process between two is memory_process_peak_bytes. */
	u->memory_peak_bytes = !u->tracked ? quantity_value(&d->values, QUANTITY_peak_memory)
			     : total(d, u->pss ? METRIC_process_pss_bytes : METRIC_process_rss_bytes).maximum;
	u->memory_machine_bytes = is_none(machine) ? d->facts->host.memory_bytes : machine;
	u->machine_swapped_bytes = add_known(total(d, METRIC_memory_swap_in_bytes).sum,
					     total(d, METRIC_memory_swap_out_bytes).sum);
	if (!u->tracked)
		return;
	u->memory_rss_bytes = total(d, METRIC_process_rss_bytes).maximum;
	u->memory_upper_bytes = total(d, METRIC_process_pss_upper_bytes).maximum;
	u->memory_process_peak_bytes = quantity_value(&d->values, QUANTITY_largest_process);
	u->peak_missed = total(d, METRIC_process_peak_rss_incomplete).maximum > 0;
	/* It never falls, so it rose if its mean is below its maximum. */
	if (group.maximum > group.mean)
		u->memory_group_peak_bytes = group.maximum;
	u->memory_limit_bytes = total(d, METRIC_cgroup_memory_limit_bytes).maximum;
	u->memory_limit_hits = total(d, METRIC_cgroup_memory_max_events).sum;
	u->memory_swapped_bytes = total(d, METRIC_process_swap_bytes).maximum;
}

static double gpu_row(const struct aggregate *whole, size_t row, size_t offset)
{
	const struct table_info *info = &tables[TABLE_GPU];

	for (size_t i = 0; i < info->n_metrics; i++)
		if (info->metrics[i].offset == offset)
			return aggregate_row(whole, TABLE_GPU, row, &info->metrics[i]).maximum;
	return NONE;
}

/* The GPUs visible to the job by its environment, if known; else all. */
static double gpus_had(const struct digest *d)
{
	double visible = NONE;

	for (size_t row = 0; row < aggregate_rows(d->whole, TABLE_GPU); row++)
		if (!(gpu_row(d->whole, row, offsetof(struct gpu_row, counted_in_total)) < 1))
			visible = add_known(visible, gpu_row(d->whole, row, offsetof(struct gpu_row, job_visible)));
	return is_none(visible) ? total(d, METRIC_gpu_total_count).maximum : visible;
}

static void read_gpu(struct run_use *u, const struct digest *d)
{
	bool tree = u->tracked && !is_none(total(d, METRIC_process_gpu_utilized).maximum);

	u->gpus_had = gpus_had(d);
	u->gpus_used = total(d, tree ? METRIC_process_gpu_utilized : METRIC_gpu_total_utilized).maximum;
	u->gpus_mean = total(d, tree ? METRIC_process_gpu_utilization_gpus : METRIC_gpu_total_utilization_gpus).mean;
	u->gpu_memory_peak_bytes =
		total(d, tree ? METRIC_process_gpu_vram_bytes : METRIC_gpu_total_vram_used_bytes).maximum;
}

void run_use_read(struct run_use *ret, const struct digest *d)
{
	const struct run_status *status = &d->facts->status;
	struct run_use u = {
		.state = d->state, .tracked = d->facts->tracked,
		.out_of_memory = strcmp(status->reason.cause, "out_of_memory") == 0,
	};

#define RUN_USE_UNKNOWN(name) u.name = NONE;
	RUN_USE(RUN_USE_UNKNOWN)
#undef RUN_USE_UNKNOWN
	u.seconds = d->seconds;
	u.samples = (double)aggregate_samples(d->whole);
	read_cpu(&u, d);
	read_memory(&u, d);
	read_gpu(&u, d);
	*ret = u;
}

void run_uses_align(struct run_use *runs, size_t n)
{
	bool rss = false;

	for (size_t i = 0; i < n; i++)
		rss = rss || (runs[i].tracked && !runs[i].pss && !is_none(runs[i].memory_rss_bytes));
	for (size_t i = 0; rss && i < n; i++)
		if (runs[i].pss && !is_none(runs[i].memory_rss_bytes)) {
			runs[i].memory_peak_bytes = runs[i].memory_rss_bytes;
			runs[i].pss = false;
		}
}
