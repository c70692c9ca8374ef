/* ranks_text.c - a job over all its ranks, as labelled text. */
#include <math.h>
#include <string.h>

#include "../summary/summary_parts.h"
#include "../text/human.h"
#include "../text/job_words.h"
#include "../text/shown.h"
#include "clocks.h"
#include "spread_text.h"

enum { NAMED_MOST = 5, NODES_MOST = 16, STRAGGLERS_MOST = 5 };

static void line(struct page *p, struct phrase *w, const char *label, enum ink ink)
{
	page_label(p, label, ink);
	page_words(p, phrase_text(w), INK_PLAIN);
	page_end(p);
}

static void name_rank(struct buffer *out, const struct ranks *ranks, size_t i)
{
	const struct rank *r = &ranks->at[i];

	buffer_format(out, "%s %lld", ranks_kind(ranks, i), (long long)r->number);
	if (ranks->n_launches > 1 && *r->job.step)
		buffer_format(out, " of step %s", r->job.step);
}

/* ---- the job, and what became of its ranks -------------------------------------------------- */

static void write_job(struct page *p, struct phrase *w, const struct ranks_view *v)
{
	const struct ranks *ranks = &v->ranks;
	struct job job = ranks->at[0].job;
	struct buffer *out = phrase_new(w);

	if (*job.array_id)
		buffer_format(out, "%s %s", job.scheduler, job.array_id);
	else if (*job.id)
		buffer_format(out, "%s %s", job.scheduler, job.id);
	if (out->len > 0)
		buffer_text(out, ", ");
	if (ranks->n_launches == 1 && *job.step)
		buffer_format(out, "step %s, ", job.step);
	if (ranks->n_launches > 1)
		buffer_format(out, "%zu starts of ranks, ", ranks->n_launches);
	buffer_format(out, "%zu %s%s with a record, on ", ranks->n, ranks_kind(ranks, 0), ranks->n == 1 ? "" : "s");
	human_count(out, (double)v->use.n_nodes, "node", "nodes");
	line(p, w, "Job", INK_PLAIN);
}

/* "2 exit 3 (rank 4, rank 7)": ranks of one state and one status. */
static void write_state(struct buffer *out, const struct ranks *ranks, size_t first)
{
	const struct rank *r = &ranks->at[first];
	size_t n = 0;

	for (size_t i = first; i < ranks->n; i++)
		n += strcmp(ranks->at[i].status, r->status) == 0;
	buffer_format(out, "%s%zu ", out->len > 0 ? ", " : "", n);
	buffer_text(out, r->state == STATE_OK ? "ok" : r->state == STATE_TRUNCATED ? "cut off" : r->status);
	if (r->state == STATE_OK || r->state == STATE_RUNNING)
		return;
	buffer_text(out, " (");
	for (size_t i = first, shown = 0; i < ranks->n; i++) {
		if (strcmp(ranks->at[i].status, r->status) != 0)
			continue;
		if (shown == NAMED_MOST) {
			buffer_format(out, " and %zu more", n - shown);
			break;
		}
		buffer_text(out, shown++ > 0 ? ", " : "");
		name_rank(out, ranks, i);
	}
	buffer_char(out, ')');
}

static bool is_first_of_status(const struct ranks *ranks, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(ranks->at[k].status, ranks->at[i].status) == 0)
			return false;
	return true;
}

static void write_missing(struct page *p, struct phrase *w, const struct ranks *ranks)
{
	struct buffer *out = phrase_new(w);

	if (ranks->missing == 0)
		return;
	human_count(out, (double)ranks->missing, "rank has no record: ", "ranks have no record: ");
	for (size_t i = 0; i < ranks->n_gaps; i++) {
		const struct gap *gap = &ranks->gaps[i];

		if (i == NAMED_MOST) {
			buffer_text(out, " and more");
			break;
		}
		buffer_format(out, "%s%lld", i > 0 ? ", " : "", (long long)gap->first);
		if (gap->last > gap->first)
			buffer_format(out, " to %lld", (long long)gap->last);
		if (ranks->n_launches > 1 && *ranks->launches[gap->launch].job.step)
			buffer_format(out, " of step %s", ranks->launches[gap->launch].job.step);
	}
	line(p, w, "Missing", INK_WARN);
}

static void write_status(struct page *p, struct phrase *w, const struct ranks *ranks)
{
	struct buffer *out = phrase_new(w);
	enum ink ink = INK_PLAIN;

	for (size_t i = 0; i < ranks->n; i++) {
		bool bad = ranks->at[i].state == STATE_FAILED || ranks->at[i].state == STATE_KILLED;

		ink = bad ? INK_BAD : ink;
		if (is_first_of_status(ranks, i))
			write_state(out, ranks, i);
	}
	line(p, w, "Status", ink);
	write_missing(p, w, ranks);
}

/* ---- totals ----------------------------------------------------------------------------------- */

static void write_efficiency(struct buffer *out, double efficiency)
{
	if (is_none(efficiency))
		return;
	buffer_text(out, ", ");
	human_percent(out, 100 * efficiency);
	buffer_text(out, " of ");
}

static void write_totals(struct page *p, struct phrase *w, const struct job_use *u)
{
	struct buffer *out = phrase_new(w);

	human_seconds(out, u->seconds);
	buffer_text(out, " from the first start to the last end");
	line(p, w, "Time", INK_PLAIN);

	out = phrase_new(w);
	human_seconds(out, u->cpu_seconds);
	buffer_text(out, " in all");
	write_efficiency(out, u->cpu_efficiency);
	if (!is_none(u->cpu_efficiency)) {
		human_count(out, u->cpus, "CPU", "CPUs");
		buffer_text(out, u->cpus_of_job ? " of the job" : " of its nodes");
	}
	line(p, w, "CPU time", INK_PLAIN);

	out = phrase_new(w);
	human_bytes(out, u->memory_bytes);
	buffer_text(out, u->pss ? " (PSS) at the ranks' peaks together" : " (RSS) at the ranks' peaks together");
	write_efficiency(out, u->memory_efficiency);
	if (!is_none(u->memory_efficiency)) {
		human_bytes(out, u->requested_bytes);
		buffer_text(out, u->memory_of_job ? " requested" : " of its nodes");
	}
	line(p, w, "Memory", INK_PLAIN);

	summary_in_and_out(p, w, "Disk", "read", u->disk_read_bytes, "written", u->disk_written_bytes);
	page_end(p);
	if (!is_none(u->net_received_bytes)) {
		summary_in_and_out(p, w, "TCP", "received", u->net_received_bytes, "sent", u->net_sent_bytes);
		page_end(p);
	}
}

static void write_node(struct page *p, struct phrase *w, const struct node_use *n, bool first)
{
	struct buffer *out = phrase_new(w);

	show_text(out, n->name, strlen(n->name), '?');
	buffer_text(out, ": ");
	human_count(out, (double)n->ranks, "rank", "ranks");
	buffer_text(out, ", CPU ");
	human_seconds(out, n->cpu_seconds);
	buffer_text(out, ", memory ");
	human_bytes(out, n->memory_bytes);
	if (!is_none(n->busy_cores)) {
		buffer_text(out, "; machine: ");
		human_cores(out, n->busy_cores);
		buffer_text(out, " cores busy, ");
		human_cores(out, n->other_cores);
		buffer_text(out, " by others");
	}
	line(p, w, first ? "Nodes" : "", INK_PLAIN);
}

static void write_nodes(struct page *p, struct phrase *w, const struct job_use *u)
{
	for (size_t k = 0; k < u->n_nodes && k < NODES_MOST; k++)
		write_node(p, w, &u->nodes[k], k == 0);
	if (u->n_nodes > NODES_MOST) {
		buffer_format(phrase_new(w), "and %zu more", u->n_nodes - NODES_MOST);
		line(p, w, "", INK_PLAIN);
	}
}

/* ---- the ranks beside each other --------------------------------------------------------------- */

static void write_stragglers(struct page *p, struct phrase *w, const struct ranks_view *v)
{
	for (size_t i = 0; i < v->n_stragglers && i < STRAGGLERS_MOST; i++) {
		const struct straggler *s = &v->stragglers[i];
		struct buffer *out = phrase_new(w);
		const char *node = rank_node(&v->ranks.at[s->rank]);

		name_rank(out, &v->ranks, s->rank);
		buffer_text(out, " on ");
		show_text(out, node, strlen(node), '?');
		buffer_text(out, " ");
		buffer_text(out, s->why);
		line(p, w, i == 0 ? "Stragglers" : "", INK_WARN);
	}
	if (v->n_stragglers > STRAGGLERS_MOST) {
		buffer_format(phrase_new(w), "and %zu more", v->n_stragglers - STRAGGLERS_MOST);
		line(p, w, "", INK_WARN);
	}
}

/* "n2 30.0s ahead, n3 1m 02.0s behind": nodes with another clock than the median node. */
static size_t name_clocks(struct buffer *out, const struct job_use *u)
{
	size_t n = 0;

	for (size_t k = 0; k < u->n_nodes; k++) {
		const struct node_use *node = &u->nodes[k];

		if (is_none(node->ahead_seconds) || ++n > NAMED_MOST)
			continue;
		buffer_text(out, n > 1 ? ", " : "");
		show_text(out, node->name, strlen(node->name), '?');
		buffer_char(out, ' ');
		human_seconds(out, fabs(node->ahead_seconds));
		buffer_text(out, node->ahead_seconds > 0 ? " ahead" : " behind");
	}
	if (n > NAMED_MOST)
		buffer_format(out, " and %zu more", n - NAMED_MOST);
	return n;
}

static void write_clocks(struct page *p, struct phrase *w, const struct job_use *u)
{
	struct buffer *out = phrase_new(w);

	if (name_clocks(out, u) > 0) {
		buffer_text(out, ", by the median node's clock");
	} else if (u->apart_seconds >= CLOCKS_APART_SECONDS) {
		buffer_text(out, "first ranks of the nodes started ");
		human_seconds(out, u->apart_seconds);
		buffer_text(out, " apart by the nodes' clocks, which can differ");
	} else {
		return;
	}
	buffer_text(out, "; the time of each node is by its own clock");
	line(p, w, "Clocks", INK_WARN);
}

/* Records that the totals leave out. */
static void write_others(struct page *p, struct phrase *w, const struct ranks *ranks)
{
	static const char *const words[][2] = {
		[ROLE_AROUND] = { "run without a rank, such as the batch script, is not added: it can contain ranks",
				  "runs without a rank, such as the batch script, are not added: they can contain ranks" },
		[ROLE_EARLIER] = { "record of an earlier attempt is left out", "records of earlier attempts are left out" },
		[ROLE_UNREADABLE] = { "file is not a record that can be read", "files are not records that can be read" },
	};
	size_t n[countof(words)] = { 0 };

	for (size_t i = ranks->n; i < ranks->all; i++)
		n[ranks->at[i].role]++;
	for (size_t k = ROLE_AROUND; k < countof(words); k++) {
		if (n[k] == 0)
			continue;
		human_count(phrase_new(w), (double)n[k], words[k][0], words[k][1]);
		line(p, w, "Note", INK_PLAIN);
	}
}

void ranks_text(struct buffer *out, const struct ranks_view *v, const struct summary_style *style)
{
	struct page p = { .out = out, .style = *style };
	struct phrase w = { { 0 } };

	page_title(&p, "resource-tracker");
	write_job(&p, &w, v);
	write_status(&p, &w, &v->ranks);
	write_totals(&p, &w, &v->use);
	write_nodes(&p, &w, &v->use);
	spreads_text(&p, &w, v);
	write_stragglers(&p, &w, v);
	write_clocks(&p, &w, &v->use);
	write_others(&p, &w, &v->ranks);
	buffer_release(&w.text);
}
