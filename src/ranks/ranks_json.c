/* ranks_json.c - a job over all its ranks, as JSON. */
#include <string.h>

#include "../core/json_write.h"
#include "../record/record_lines.h"
#include "ranks_view.h"

enum { SECONDS_DECIMALS = 6, RATIO_DECIMALS = 4 };

/* ---- the job ---------------------------------------------------------------------------------- */

static void write_missing(struct json *j, const struct ranks *ranks, size_t most)
{
	json_member_u64(j, "missing", ranks->missing);
	json_member_open(j, "missing_ranks", '[');
	for (size_t i = 0; i < size_min(ranks->n_gaps, most); i++) {
		json_open(j, '{');
		json_member_text(j, "step", *ranks->launches[ranks->gaps[i].launch].job.step
					    ? ranks->launches[ranks->gaps[i].launch].job.step : NULL);
		json_member_i64(j, "first", ranks->gaps[i].first);
		json_member_i64(j, "last", ranks->gaps[i].last);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_left_out(struct json *j, const struct ranks *ranks, size_t most)
{
	static const char *const roles[] = {
		[ROLE_AROUND] = "around", [ROLE_EARLIER] = "earlier", [ROLE_UNREADABLE] = "unreadable",
	};

	json_member_open(j, "left_out", '[');
	for (size_t i = ranks->n; i < ranks->n + size_min(ranks->all - ranks->n, most); i++) {
		json_open(j, '{');
		json_member_text(j, "record", ranks->at[i].path);
		json_member_word(j, "why", roles[ranks->at[i].role]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_totals(struct json *j, const struct job_use *u)
{
	json_member_open(j, "totals", '{');
	json_member_number(j, "seconds", u->seconds, SECONDS_DECIMALS);
	json_member_number(j, "starts_apart_seconds", u->apart_seconds, SECONDS_DECIMALS);
	json_member_number(j, "cpu_seconds", u->cpu_seconds, SECONDS_DECIMALS);
	json_member_number(j, "memory_bytes", u->memory_bytes, 0);
	json_member_word(j, "memory_basis", u->pss ? "PSS" : "RSS");
	json_member_number(j, "disk_read_bytes", u->disk_read_bytes, 0);
	json_member_number(j, "disk_written_bytes", u->disk_written_bytes, 0);
	json_member_number(j, "net_received_bytes", u->net_received_bytes, 0);
	json_member_number(j, "net_sent_bytes", u->net_sent_bytes, 0);
	json_member_number(j, "cpus", u->cpus, 0);
	json_member_word(j, "cpus_of", u->cpus_of_job ? "job" : "nodes");
	json_member_number(j, "cpu_efficiency", u->cpu_efficiency, RATIO_DECIMALS);
	json_member_number(j, "available_memory_bytes", u->requested_bytes, 0);
	json_member_word(j, "available_memory_of", u->memory_of_job ? "job" : "nodes");
	json_member_number(j, "memory_efficiency", u->memory_efficiency, RATIO_DECIMALS);
	json_close(j, '}');
}

static void write_nodes(struct json *j, const struct job_use *u)
{
	json_member_open(j, "nodes", '[');
	for (size_t k = 0; k < u->n_nodes; k++) {
		const struct node_use *n = &u->nodes[k];

		json_open(j, '{');
		json_member_text(j, "name", n->name);
		json_member_u64(j, "ranks", n->ranks);
		json_member_number(j, "cpu_seconds", n->cpu_seconds, SECONDS_DECIMALS);
		json_member_number(j, "memory_bytes", n->memory_bytes, 0);
		json_member_number(j, "cpus", n->cpus, 0);
		json_member_number(j, "available_memory_bytes", n->requested_bytes, 0);
		json_member_number(j, "machine_busy_cores", n->busy_cores, RATIO_DECIMALS);
		json_member_number(j, "machine_other_cores", n->other_cores, RATIO_DECIMALS);
		json_member_number(j, "machine_received_bytes", n->received_bytes, 0);
		json_member_number(j, "machine_sent_bytes", n->sent_bytes, 0);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* ---- its ranks -------------------------------------------------------------------------------- */

static void write_spread(struct json *j, const struct ranks *ranks, const struct spread *s, int decimals)
{
	json_member_number(j, "least", s->least, decimals);
	json_member_i64(j, "least_rank", ranks->at[s->least_rank].number);
	json_member_number(j, "median", s->median, decimals);
	json_member_number(j, "p95", s->p95, decimals);
	json_member_number(j, "most", s->most, decimals);
	json_member_i64(j, "most_rank", ranks->at[s->most_rank].number);
	json_member_number(j, "mean", s->mean, decimals);
	json_member_number(j, "imbalance", s->imbalance, RATIO_DECIMALS);
}

static void write_spreads(struct json *j, const struct ranks_view *v)
{
	json_member_open(j, "spread", '{');
	for (enum spread_of i = 0; i < SPREAD_COUNT; i++) {
		if (v->spread[i].ranks == 0)
			continue;
		json_member_open(j, spreads[i].key, '{');
		write_spread(j, &v->ranks, &v->spread[i], spreads[i].unit == UNIT_BYTES ? 0 : SECONDS_DECIMALS);
		json_close(j, '}');
	}
	json_close(j, '}');
}

static void write_regions(struct json *j, const struct ranks_view *v)
{
	json_member_open(j, "regions", '[');
	for (size_t i = 0; i < v->n_regions; i++) {
		const struct region_spread *r = &v->regions[i];

		json_open(j, '{');
		json_member_text(j, "path", r->path);
		json_member_u64(j, "ranks", r->time.ranks);
		json_member_u64(j, "count", r->count);
		write_spread(j, &v->ranks, &r->time, SECONDS_DECIMALS);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_stragglers(struct json *j, const struct ranks_view *v, size_t most)
{
	json_member_open(j, "stragglers", '[');
	for (size_t i = 0; i < size_min(v->n_stragglers, most); i++) {
		const struct rank *r = &v->ranks.at[v->stragglers[i].rank];

		json_open(j, '{');
		json_member_i64(j, "rank", r->number);
		json_member_text(j, "step", *r->job.step ? r->job.step : NULL);
		json_member_text(j, "node", rank_node(r));
		json_member_number(j, "behind", v->stragglers[i].behind, RATIO_DECIMALS);
		json_member_word(j, "cause", v->stragglers[i].cause);
		json_member_text(j, "why", v->stragglers[i].why);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_ranks(struct json *j, const struct ranks *ranks)
{
	json_member_open(j, "ranks", '[');
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank *r = &ranks->at[i];

		json_open(j, '{');
		json_member_i64(j, "rank", r->number);
		json_member_text(j, "step", *r->job.step ? r->job.step : NULL);
		json_member_text(j, "node", rank_node(r));
		json_member_text(j, "record", r->path);
		json_member_word(j, "state", run_states[r->state]);
		json_member_number(j, "seconds", r->seconds, SECONDS_DECIMALS);
		json_member_number(j, "cpu_seconds", r->cpu_seconds, SECONDS_DECIMALS);
		json_member_number(j, "peak_pss_bytes", r->memory_pss_bytes, 0);
		json_member_number(j, "peak_rss_bytes", r->memory_rss_bytes, 0);
		for (enum loss k = 0; k < LOSS_COUNT; k++)
			json_member_number(j, rank_loss_keys[k], r->lost_seconds[k], SECONDS_DECIMALS);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void ranks_json_members(struct json *j, const struct ranks_view *v, size_t most)
{
	const struct job *job = &v->ranks.at[0].job;

	json_member_text(j, "scheduler", *job->scheduler ? job->scheduler : NULL);
	json_member_text(j, "job", *job->array_id ? job->array_id : *job->id ? job->id : NULL);
	write_missing(j, &v->ranks, most);
	write_totals(j, &v->use);
	write_spreads(j, v);
	write_regions(j, v);
	write_stragglers(j, v, most);
	write_left_out(j, &v->ranks, most);
}

void ranks_json(struct buffer *out, const struct ranks_view *v)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	ranks_json_members(&j, v, SIZE_MAX);
	write_nodes(&j, &v->use);
	write_ranks(&j, &v->ranks);
	json_close(&j, '}');
	buffer_char(out, '\n');
}
