/* rank.c - one rank of a job, from the first and last lines of its record. */
#include "rank.h"

#include <stdio.h>
#include <string.h>

#include "../summary/summary_parts.h"

static double sum(const struct aggregate *whole, enum total_metric m)
{
	return summary_total(whole, m).sum;
}

static double known(double a, double or_else)
{
	return is_none(a) ? or_else : a;
}

/* The stall for memory counts only if something was swapped: without swap it is the reading of programs and files. */
static void read_losses(struct rank *r, const struct aggregate *w)
{
	double swapped = known(sum(w, METRIC_memory_swap_in_bytes), 0) +
			 known(sum(w, METRIC_memory_swap_out_bytes), 0) +
			 known(summary_total(w, METRIC_process_swap_bytes).maximum, 0);

	r->lost_seconds[LOSS_THROTTLED] = sum(w, METRIC_cgroup_cpu_throttled_seconds);
	r->lost_seconds[LOSS_CPU] = sum(w, METRIC_process_run_delay_seconds);
	r->lost_seconds[LOSS_DISK] = known(sum(w, METRIC_process_block_delay_seconds),
					   known(sum(w, METRIC_pressure_cgroup_io_some_seconds),
						 sum(w, METRIC_pressure_io_some_seconds)));
	r->lost_seconds[LOSS_SWAPPING] = !(swapped > 0) ? 0
				       : known(sum(w, METRIC_pressure_cgroup_memory_some_seconds),
					       sum(w, METRIC_pressure_memory_some_seconds));
}

static void read_figures(void *context, const struct past_run *run, const struct aggregate *w)
{
	struct rank *r = context;
	const struct quantity_values *v = &run->values;

	r->seconds = v->by[QUANTITY_duration][BASIS_RUN];
	r->cpu_seconds = quantity_value(v, QUANTITY_cpu_time);
	r->memory_pss_bytes = v->by[QUANTITY_peak_memory][BASIS_PSS];
	r->memory_rss_bytes = v->by[QUANTITY_peak_memory][BASIS_RSS];
	r->disk_read_bytes = quantity_value(v, QUANTITY_disk_read);
	r->disk_written_bytes = quantity_value(v, QUANTITY_disk_written);
	r->net_received_bytes = sum(w, METRIC_process_net_recv_bytes);
	r->net_sent_bytes = sum(w, METRIC_process_net_sent_bytes);
	r->machine_cpus = known(summary_total(w, METRIC_cpu_count).last, run->cpus);
	r->machine_memory_bytes = known(summary_total(w, METRIC_memory_total_bytes).last, run->memory_bytes);
	r->machine_busy_cores = summary_total(w, METRIC_cpu_utilization_cores).mean;
	r->machine_received_bytes = sum(w, METRIC_network_total_recv_bytes);
	r->machine_sent_bytes = sum(w, METRIC_network_total_sent_bytes);
	read_losses(r, w);
}

static struct rank unknown_rank(void)
{
	struct rank r = { .path = NULL, .number = -1 };

	job_unknown(&r.job);
#define RANK_UNKNOWN(name) r.name = NONE;
	RANK_FIGURES(RANK_UNKNOWN)
#undef RANK_UNKNOWN
	for (enum loss i = 0; i < LOSS_COUNT; i++)
		r.lost_seconds[i] = NONE;
	return r;
}

int rank_read(struct rank *ret, const char *path, const struct selection *selection, bool *ret_taken)
{
	struct arena arena = { NULL };
	struct rank r = unknown_rank();
	struct past_run run;
	int result = past_run_read_whole(&run, &arena, path, read_figures, &r);

	*ret_taken = result == 0 && (run.state == STATE_UNREADABLE || selection_takes(selection, &run));
	if (*ret_taken) {
		r.path = strdup(path);
		r.state = run.state;
		r.role = run.state == STATE_UNREADABLE ? ROLE_UNREADABLE : ROLE_RANK;
		r.start_wall_ns = run.run.start_wall_ns;
		if (run.run.job)
			r.job = *run.run.job;
		r.number = r.job.rank >= 0 ? r.job.rank : r.job.array_task;
		(void)snprintf(r.host, sizeof r.host, "%s", run.host);
		(void)snprintf(r.problem, sizeof r.problem, "%s", run.problem ? run.problem : "");
		past_run_status(r.status, sizeof r.status, &run);
		result = r.path ? 0 : -ENOMEM;
	}
	arena_release(&arena);
	if (result == 0)
		*ret = r;
	return result;
}

void rank_release(struct rank *r)
{
	free(r->path);
	r->path = NULL;
}

const char *rank_node(const struct rank *r)
{
	return *r->job.node ? r->job.node : *r->host ? r->host : "unknown";
}
