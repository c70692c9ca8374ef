/* job_use.c - what a job used in all. */
#include "job_use.h"

#include <stdio.h>
#include <string.h>

double rank_memory(const struct rank *r, bool pss)
{
	return pss ? r->memory_pss_bytes : r->memory_rss_bytes;
}

static void add(double *to, double value)
{
	if (!is_none(value))
		*to = is_none(*to) ? value : *to + value;
}

static void raise(double *to, double value)
{
	if (!is_none(value) && !(*to >= value))
		*to = value;
}

static void lower(double *to, double value)
{
	if (!is_none(value) && !(*to <= value))
		*to = value;
}

static double start_of(const struct rank *r)
{
	return (double)r->start_wall_ns / 1e9;
}

double rank_begin_seconds(const struct node_use *node, const struct rank *r)
{
	return start_of(r) - node->job_began;
}

static int by_node(const void *a, const void *b)
{
	const struct rank *const *x = a, *const *y = b;
	int r = strverscmp(rank_node(*x), rank_node(*y));

	r = r ? r : strcmp(rank_node(*x), rank_node(*y));
	return r ? r : (*x > *y) - (*x < *y);           /* by launch and number, as in ranks.at */
}

/* ---- nodes ------------------------------------------------------------------------------- */

/* What the job has on the rank's node, by its request. */
static double requested_memory(const struct rank *r)
{
	const struct job *job = &r->job;

	if (job->node_memory_bytes > 0)
		return (double)job->node_memory_bytes;
	return job->cpu_memory_bytes > 0 && job->node_cpus > 0
		? (double)job->cpu_memory_bytes * (double)job->node_cpus : NONE;
}

static void read_machine(struct node_use *n, const struct rank *r)
{
	if (n->longest_seconds >= r->seconds)
		return;
	n->longest_seconds = r->seconds;
	n->busy_cores = r->machine_busy_cores;
	n->received_bytes = r->machine_received_bytes;
	n->sent_bytes = r->machine_sent_bytes;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void find_ends(struct node_use *u, const struct rank *const *ranks, size_t n, double *ends)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!is_none(ranks[i]->seconds))
			ends[known++] = start_of(ranks[i]) + ranks[i]->seconds;
	if (known == 0)
		return;
	qsort(ends, known, sizeof *ends, ascending);
	u->first_end = ends[0];
	u->median_end = ends[(known - 1) / 2];
	u->last_end = ends[known - 1];
}

/* ends: room for n. */
static struct node_use node_of(const struct rank *const *ranks, size_t n, bool pss, double *ends)
{
	struct node_use u = {
		.ranks = n, .cpu_seconds = NONE, .memory_bytes = NONE, .cpus = NONE, .requested_bytes = NONE,
		.busy_cores = NONE, .other_cores = NONE, .received_bytes = NONE, .sent_bytes = NONE,
		.longest_seconds = NONE, .first_start = NONE, .first_end = NONE, .median_end = NONE, .last_end = NONE,
	};
	double memory = NONE;
	size_t in_launch = 0;

	(void)snprintf(u.name, sizeof u.name, "%s", rank_node(ranks[0]));
	for (size_t i = 0; i < n; i++) {
		const struct rank *r = ranks[i];

		if (i > 0 && r->launch != ranks[i - 1]->launch) {
			memory = NONE;
			in_launch = 0;
		}
		u.most_ranks = size_max(u.most_ranks, ++in_launch);
		add(&memory, rank_memory(r, pss));
		raise(&u.memory_bytes, memory);
		add(&u.cpu_seconds, r->cpu_seconds);
		lower(&u.first_start, start_of(r));
		raise(&u.cpus, r->job.node_cpus > 0 ? (double)r->job.node_cpus : NONE);
		raise(&u.requested_bytes, requested_memory(r));
		read_machine(&u, r);
	}
	find_ends(&u, ranks, n, ends);
	if (!is_none(u.busy_cores) && !is_none(u.cpu_seconds) && u.longest_seconds > 0)
		u.other_cores = double_max(0, u.busy_cores - u.cpu_seconds / u.longest_seconds);
	return u;
}

/* Where a node's share of the job is not known, the machines of all nodes are what it had. */
static void fall_back(struct job_use *u)
{
	u->cpus_of_job = u->memory_of_job = true;
	for (size_t k = 0; k < u->n_nodes; k++) {
		u->cpus_of_job = u->cpus_of_job && !is_none(u->nodes[k].cpus);
		u->memory_of_job = u->memory_of_job && !is_none(u->nodes[k].requested_bytes);
	}
	for (size_t k = 0; k < u->n_nodes; k++) {
		const struct rank *first = u->by_node[u->nodes[k].first];

		if (!u->cpus_of_job)
			u->nodes[k].cpus = first->machine_cpus;
		if (!u->memory_of_job)
			u->nodes[k].requested_bytes = first->machine_memory_bytes;
	}
}

/* ---- the job ------------------------------------------------------------------------------ */

/* Clocks of nodes can differ by more than the job took, so where it is possible none is compared with another. */
static void measure_time(struct job_use *u, const struct ranks *ranks)
{
	double first = NONE, last_first = NONE, last = NONE, longest = NONE;

	u->together = ranks->n_launches == 1 && ranks->at[0].job.rank >= 0;
	for (size_t k = 0; k < u->n_nodes; k++) {
		const struct node_use *n = &u->nodes[k];

		lower(&first, n->first_start);
		raise(&last_first, n->first_start);
		raise(&last, n->last_end);
		raise(&longest, n->last_end - n->first_start);
	}
	u->seconds = u->together ? longest : last - first;
	u->apart_seconds = u->together ? last_first - first : NONE;
}

static void add_up(struct job_use *u, const struct ranks *ranks)
{
	u->cpu_seconds = u->memory_bytes = u->cpus = u->requested_bytes = NONE;
	u->disk_read_bytes = u->disk_written_bytes = u->net_received_bytes = u->net_sent_bytes = NONE;
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank *r = &ranks->at[i];

		add(&u->cpu_seconds, r->cpu_seconds);
		add(&u->disk_read_bytes, r->disk_read_bytes);
		add(&u->disk_written_bytes, r->disk_written_bytes);
		add(&u->net_received_bytes, r->net_received_bytes);
		add(&u->net_sent_bytes, r->net_sent_bytes);
	}
	measure_time(u, ranks);
	for (size_t k = 0; k < u->n_nodes; k++) {
		add(&u->memory_bytes, u->nodes[k].memory_bytes);
		add(&u->cpus, u->nodes[k].cpus);
		add(&u->requested_bytes, u->nodes[k].requested_bytes);
	}
	u->cpu_efficiency = u->cpu_seconds / (u->cpus * u->seconds);
	u->memory_efficiency = u->memory_bytes / u->requested_bytes;
}

/* ends: room for all ranks. */
static void find_nodes(struct job_use *u, const struct ranks *ranks, double *ends)
{
	for (size_t i = 0; i < ranks->n; i++) {
		u->by_node[i] = &ranks->at[i];
		u->pss = u->pss && !is_none(ranks->at[i].memory_pss_bytes);
	}
	qsort(u->by_node, ranks->n, sizeof(*u->by_node), by_node);
	for (size_t i = 0, n = 1; i < ranks->n; i += n, n = 1) {
		while (i + n < ranks->n && strcmp(rank_node(u->by_node[i]), rank_node(u->by_node[i + n])) == 0)
			n++;
		u->nodes[u->n_nodes] = node_of(u->by_node + i, n, u->pss, ends);
		u->nodes[u->n_nodes++].first = i;
	}
	fall_back(u);
}

int job_use_read(struct job_use *ret, const struct ranks *ranks)
{
	struct job_use u = {
		.pss = true, .nodes = calloc(ranks->n + 1, sizeof *u.nodes),
		.by_node = calloc(ranks->n + 1, sizeof(*u.by_node)),
	};
	auto_free double *ends = calloc(ranks->n + 1, sizeof *ends);

	if (!u.nodes || !u.by_node || !ends) {
		job_use_release(&u);
		return -ENOMEM;
	}
	find_nodes(&u, ranks, ends);
	add_up(&u, ranks);
	*ret = u;
	return 0;
}

void job_use_release(struct job_use *u)
{
	free(u->nodes);
	free(u->by_node);
	u->nodes = NULL;
	u->by_node = NULL;
}

const struct node_use *job_use_node(const struct job_use *u, const struct rank *rank)
{
	for (size_t k = 0; k < u->n_nodes; k++)
		if (strcmp(u->nodes[k].name, rank_node(rank)) == 0)
			return &u->nodes[k];
	return NULL;
}
