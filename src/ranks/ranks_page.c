/* ranks_page.c - a job over all its ranks as data of the page of a report. */
#include "ranks_page.h"

#include <string.h>

#include "ranks_map.h"

enum { NAMED_MOST = 100, SECONDS_DECIMALS = 3, RATIO_DECIMALS = 3 };

static void open_table(struct json *j, const char *key, const char *const *columns, size_t n)
{
	json_member_open(j, key, '{');
	json_member_open(j, "columns", '[');
	for (size_t i = 0; i < n; i++)
		json_text(j, columns[i]);
	json_close(j, ']');
	json_member_open(j, "rows", '[');
}

static void close_table(struct json *j)
{
	json_close(j, ']');
	json_close(j, '}');
}

static void write_nodes(struct json *j, const struct job_use *use)
{
	static const char *const columns[] = {
		"name", "ranks", "cpu_seconds", "memory_bytes", "cpus", "machine_busy_cores", "machine_other_cores",
		"clock_ahead_seconds",
	};

	open_table(j, "nodes", columns, countof(columns));
	for (size_t k = 0; k < use->n_nodes; k++) {
		const struct node_use *n = &use->nodes[k];

		json_open(j, '[');
		json_text(j, n->name);
		json_u64(j, n->ranks);
		json_number(j, n->cpu_seconds, SECONDS_DECIMALS);
		json_number(j, n->memory_bytes, 0);
		json_number(j, n->cpus, RATIO_DECIMALS);
		json_number(j, n->busy_cores, RATIO_DECIMALS);
		json_number(j, n->other_cores, RATIO_DECIMALS);
		json_number(j, n->ahead_seconds, SECONDS_DECIMALS);
		json_close(j, ']');
	}
	close_table(j);
}

static void write_launches(struct json *j, const struct ranks *ranks)
{
	json_member_open(j, "launches", '[');
	for (size_t k = 0; k < ranks->n_launches; k++) {
		const struct launch *l = &ranks->launches[k];

		json_open(j, '{');
		json_member_text(j, "step", *l->job.step ? l->job.step : NULL);
		json_member_u64(j, "present", l->present);
		if (l->size >= 0)
			json_member_i64(j, "size", l->size);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* In the order of nodes, as the rows of the map. */
static void write_ranks(struct json *j, const struct ranks_view *v)
{
	static const char *const columns[] = {
		"rank", "launch", "node", "status", "seconds", "cpu_seconds", "memory_bytes", "disk_bytes", "net_bytes",
		"waited_seconds",
	};
	size_t row = 0;

	open_table(j, "ranks", columns, countof(columns));
	for (size_t k = 0; k < v->use.n_nodes; k++)
		for (size_t i = 0; i < v->use.nodes[k].ranks; i++, row++) {
			const struct rank *r = v->use.by_node[row];

			json_open(j, '[');
			json_i64(j, r->number);
			json_u64(j, r->launch);
			json_u64(j, k);
			json_text(j, r->state == STATE_OK ? run_states[STATE_OK] : r->status);
			json_number(j, r->seconds, SECONDS_DECIMALS);
			json_number(j, r->cpu_seconds, SECONDS_DECIMALS);
			json_number(j, rank_memory(r, v->use.pss), 0);
			json_number(j, r->disk_read_bytes + r->disk_written_bytes, 0);
			json_number(j, r->net_received_bytes + r->net_sent_bytes, 0);
			json_number(j, rank_waited_seconds(r), SECONDS_DECIMALS);
			json_close(j, ']');
		}
	close_table(j);
}

/* The rows of the stragglers in the list of ranks. */
static void write_straggler_rows(struct json *j, const struct ranks_view *v)
{
	json_member_open(j, "straggler_rows", '[');
	for (size_t i = 0; i < size_min(v->n_stragglers, NAMED_MOST); i++) {
		size_t row = 0;

		while (v->use.by_node[row] != &v->ranks.at[v->stragglers[i].rank])
			row++;
		json_u64(j, row);
	}
	json_close(j, ']');
	json_member_u64(j, "all_stragglers", v->n_stragglers);
}

void ranks_page_json(struct json *j, const struct ranks_view *v, size_t bytes)
{
	size_t before = j->out->len, used;

	json_open(j, '{');
	json_member_word(j, "kind", ranks_kind(&v->ranks, 0));
	ranks_json_members(j, v, NAMED_MOST);
	json_member_u64(j, "all_left_out", v->ranks.all - v->ranks.n);
	write_straggler_rows(j, v);
	write_launches(j, &v->ranks);
	write_nodes(j, &v->use);
	write_ranks(j, v);
	used = j->out->len - before;
	json_key(j, "map");
	ranks_map_json(j, &v->use, bytes > used ? bytes - used : 0);
	json_close(j, '}');
}
