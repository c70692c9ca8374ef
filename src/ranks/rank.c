/* rank.c - one rank of a job, from the first and last lines of its record. */
#include "rank.h"

#include <stdio.h>
#include <string.h>

#include "../summary/summary_parts.h"

const char *const rank_loss_keys[LOSS_COUNT] = {
	[LOSS_THROTTLED] = "throttled_seconds", [LOSS_SWAPPING] = "swapping_seconds",
	[LOSS_DISK] = "disk_wait_seconds", [LOSS_CPU] = "cpu_wait_seconds",
};

static double sum(const struct aggregate *whole, enum total_metric m)
{
	return summary_total(whole, m).sum;
}

static double known(double a, double or_else)
{
	return is_none(a) ? or_else : a;
}

/*
 * A throttled thread waits for a CPU, too (its run delay has both), so this part is not another wait.  What throttled
 * the group can be more than what its threads of this rank waited.
 */
static double cpu_wait(double run_delay, double throttled)
{
	return is_none(throttled) ? run_delay : is_none(run_delay) ? NONE : double_max(0, run_delay - throttled);
}

/* The stall for memory counts only if something was swapped: without swap it is the reading of programs and files. */
static void read_losses(struct rank *r, const struct aggregate *w)
{
	double swapped = known(sum(w, METRIC_memory_swap_in_bytes), 0) +
			 known(sum(w, METRIC_memory_swap_out_bytes), 0) +
			 known(summary_total(w, METRIC_process_swap_bytes).maximum, 0);

	r->lost_seconds[LOSS_THROTTLED] = sum(w, METRIC_cgroup_cpu_throttled_seconds);
	r->lost_seconds[LOSS_CPU] = cpu_wait(sum(w, METRIC_process_run_delay_seconds), r->lost_seconds[LOSS_THROTTLED]);
	r->lost_seconds[LOSS_DISK] = known(sum(w, METRIC_process_block_delay_seconds),
					   known(sum(w, METRIC_pressure_cgroup_io_some_seconds),
						 sum(w, METRIC_pressure_io_some_seconds)));
	r->lost_seconds[LOSS_SWAPPING] = !(swapped > 0) ? 0
				       : known(sum(w, METRIC_pressure_cgroup_memory_some_seconds),
					       sum(w, METRIC_pressure_memory_some_seconds));
}

struct reading { struct rank *rank; int result; };

static void read_figures(void *context, const struct past_run *run, const struct aggregate *w,
			 const struct record_facts *facts)
{
	struct reading *reading = context;
	struct rank *r = reading->rank;
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
	reading->result = rank_parts_read(&r->parts, &r->n_parts, facts->outline);
	if (reading->result == 0)
		reading->result = rank_regions_read(&r->regions, &r->n_regions, &facts->regions);
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

/* Which rank it is. */
static int identify(struct rank *r, const char *path, const struct past_run *run)
{
	r->path = strdup(path);
	r->state = run->state;
	r->role = run->state == STATE_UNREADABLE ? ROLE_UNREADABLE : ROLE_RANK;
	r->start_wall_ns = run->run.start_wall_ns;
	if (run->run.job)
		r->job = *run->run.job;
	r->number = r->job.rank >= 0 ? r->job.rank : r->job.array_task;
	(void)snprintf(r->host, sizeof r->host, "%s", run->host);
	(void)snprintf(r->problem, sizeof r->problem, "%s", run->problem ? run->problem : "");
	past_run_status(r->status, sizeof r->status, run);
	return r->path ? 0 : -ENOMEM;
}

int rank_read(struct rank *ret, const char *path, const struct selection *selection, bool *ret_taken)
{
	struct arena arena = { NULL };
	struct rank r = unknown_rank();
	struct reading reading = { .rank = &r };
	struct past_run run;
	int result = past_run_read_whole(&run, &arena, path, read_figures, &reading);

	result = result < 0 ? result : reading.result;
	*ret_taken = result == 0 && (run.state == STATE_UNREADABLE || selection_takes(selection, &run));
	if (*ret_taken)
		result = identify(&r, path, &run);
	arena_release(&arena);
	if (result == 0 && *ret_taken)
		*ret = r;
	else
		rank_release(&r);
	return result;
}

int rank_begun(struct rank *ret, const char *path, const struct record_facts *facts, const struct selection *selection,
	       bool *ret_taken)
{
	const struct past_run run = { .state = STATE_RUNNING, .host = facts->host.name, .run = facts->run };
	struct rank r = unknown_rank();
	int result = 0;

	*ret_taken = selection_takes(selection, &run);
	if (!*ret_taken)
		return 0;
	r.machine_cpus = facts->host.cpus;
	r.machine_memory_bytes = facts->host.memory_bytes;
	result = identify(&r, path, &run);
	if (result == 0)
		*ret = r;
	return result;
}

void rank_release(struct rank *r)
{
	free(r->path);
	free(r->parts);
	rank_regions_release(r->regions, r->n_regions);
	r->path = NULL;
	r->parts = NULL;
	r->regions = NULL;
	r->n_parts = r->n_regions = 0;
}

const char *rank_node(const struct rank *r)
{
	return *r->job.node ? r->job.node : *r->host ? r->host : "unknown";
}
