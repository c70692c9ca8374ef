/* summary.c - the end summary: what people read after a run. */
#include "summary.h"

#include <string.h>

#include "../text/human.h"
#include "summary_parts.h"

enum { GRAPH_LEAST = 12 };                      /* columns; below a graph goes on a line of its own */

const char *phrase_text(struct phrase *p)
{
	buffer_char(&p->text, '\0');
	return p->text.failed || !p->text.at ? "" : p->text.at;
}

struct buffer *phrase_new(struct phrase *p)
{
	buffer_clear(&p->text);
	return &p->text;
}

struct statistic summary_total(const struct aggregate *whole, enum total_metric m)
{
	if (m == METRIC_NONE)
		return (struct statistic){ NONE, NONE, NONE, NONE, NONE, 0 };
	return aggregate_total(whole, &tables[TABLE_TOTAL].metrics[m - 1]);
}

static struct statistic total(const struct summary *s, enum total_metric m)
{
	return summary_total(s->whole, m);
}

bool summary_tracks(const struct summary *s)
{
	return s->tracked || s->run.command || s->run.n_pids > 0;
}

double summary_seconds(const struct summary *s)
{
	return (double)(s->status.end_monotonic_ns - s->run.start_monotonic_ns) / 1e9;
}

/* ---- quantities ------------------------------------------------------------------------ */

void summary_graph(struct page *p, struct phrase *w, const struct spark *spark)
{
	struct buffer *text = phrase_new(w);

	if (spark->n < 2)
		return;
	page_tab(p, p->column < TAB_GRAPH ? TAB_GRAPH : p->column + 1);
	if (page_room(p) < GRAPH_LEAST)
		page_next_line(p);
	(void)spark_write(text, spark, page_room(p), p->style.utf8);
	page_phrase(p, 0, phrase_text(w), INK_GRAPH);
}

static double cores_to_have(const struct summary *s)
{
	double available = total(s, METRIC_cgroup_cpu_available_cores).maximum;

	return summary_tracks(s) && !is_none(available) ? available : total(s, METRIC_cpu_count).last;
}

void summary_cpu(struct page *p, struct phrase *w, const struct summary *s)
{
	bool tree = summary_tracks(s);
	struct statistic cores = tree ? total(s, METRIC_process_cpu_cores) : total(s, METRIC_cpu_utilization_cores);
	double user = tree ? total(s, METRIC_process_cpu_user_seconds).sum : total(s, METRIC_cpu_user_seconds).sum;
	double system = tree ? total(s, METRIC_process_cpu_system_seconds).sum
			     : total(s, METRIC_cpu_system_seconds).sum;
	double all = tree ? total(s, METRIC_process_cpu_seconds).sum : add_known(user, system);
	double of = cores_to_have(s);
	struct buffer *text = phrase_new(w);

	/* All that was used over all the time is exact where a mean of levels is not. */
	double mean = tree && !is_none(all) && summary_seconds(s) > 0 ? all / summary_seconds(s) : cores.mean;

	page_label(p, "CPU", INK_PLAIN);
	buffer_text(text, "mean ");
	human_cores(text, mean);
	buffer_text(text, is_none(mean) ? "" : " cores");
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	page_tab(p, TAB_PEAK - 2);
	text = phrase_new(w);
	buffer_text(text, "peak ");
	/* Samples too short to tell a peak are left out of the maximum; no peak is below the mean. */
	human_cores(text, cores.maximum < mean ? mean : cores.maximum);
	if (!is_none(of)) {
		buffer_text(text, " of ");
		buffer_trimmed(text, of, 2);
		if (text->at && text->len > 2 && memcmp(text->at + text->len - 2, ".0", 2) == 0)
			text->len -= 2;
	}
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
	summary_graph(p, w, &s->cpu);
	page_end(p);

	page_label(p, "", INK_PLAIN);
	text = phrase_new(w);
	buffer_text(text, "time ");
	human_seconds(text, all);
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	page_tab(p, TAB_PEAK - 2);
	text = phrase_new(w);
	buffer_text(text, "user ");
	human_seconds(text, user);
	buffer_text(text, ", system ");
	human_seconds(text, system);
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
	page_end(p);
	if (tree)
		summary_cpu_source(p, w, s);
}

void summary_in_and_out(struct page *p, struct phrase *w, const char *label, const char *in_word, double in,
			const char *out_word, double out)
{
	struct buffer *text = phrase_new(w);

	page_label(p, label, INK_PLAIN);
	buffer_format(text, "%s ", in_word);
	human_bytes(text, in);
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	page_tab(p, TAB_PEAK - 2);
	text = phrase_new(w);
	buffer_format(text, "%s ", out_word);
	human_bytes(text, out);
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
}

void summary_disk_and_network(struct page *p, struct phrase *w, const struct summary *s)
{
	bool tree = summary_tracks(s);

	summary_in_and_out(p, w, "Disk", "read",
			   total(s, tree ? METRIC_process_disk_read_bytes : METRIC_disk_total_read_bytes).sum, "written",
			   total(s, tree ? METRIC_process_disk_write_bytes : METRIC_disk_total_write_bytes).sum);
	page_end(p);
	summary_in_and_out(p, w, "Network", "in", total(s, METRIC_network_total_recv_bytes).sum,
			   "out", total(s, METRIC_network_total_sent_bytes).sum);
	if (summary_tracks(s)) {
		page_tab(p, TAB_GRAPH - 2);
		page_phrase(p, 2, "(whole machine)", INK_FAINT);
	}
	page_end(p);
	summary_job_network(p, w, s);
}

/* ---- the tracker, warnings, where the record is ------------------------------------------ */

void summary_tracker(struct page *p, struct phrase *w, const struct summary *s)
{
	double used = total(s, METRIC_tracker_cpu_seconds).sum;
	double missed = total(s, METRIC_tracker_missed_samples).sum;
	struct buffer *text = phrase_new(w);

	page_label(p, "Tracker", INK_PLAIN);
	buffer_text(text, "CPU ");
	human_seconds(text, used);
	if (!is_none(used) && aggregate_seconds(s->whole) > 0) {
		buffer_text(text, " (");
		human_percent(text, 100 * used / aggregate_seconds(s->whole));
		buffer_text(text, " of a core),");
	} else {
		buffer_char(text, ',');
	}
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	text = phrase_new(w);
	buffer_text(text, "memory ");
	human_bytes(text, total(s, METRIC_tracker_rss_bytes).maximum);
	buffer_char(text, ',');
	page_phrase(p, 1, phrase_text(w), INK_PLAIN);
	text = phrase_new(w);
	buffer_format(text, "%zu sample%s", aggregate_samples(s->whole), aggregate_samples(s->whole) == 1 ? "" : "s");
	if (missed > 0)
		buffer_format(text, ", %.0f missed", missed);
	page_phrase(p, 1, phrase_text(w), INK_PLAIN);
	page_end(p);
}

void summary_write(struct buffer *out, const struct summary *s, const struct summary_style *style)
{
	struct page p = { .out = out, .style = *style };
	struct phrase w = { { 0 } };

	page_title(&p, "resource-tracker");
	summary_what_ran(&p, &w, s);
	summary_job(&p, &w, s);
	summary_how_it_ended(&p, &w, s);
	summary_cpu(&p, &w, s);
	summary_time(&p, &w, s);
	summary_memory(&p, &w, s);
	summary_gpu(&p, &w, s);
	summary_disk_and_network(&p, &w, s);
	summary_last_minute(&p, &w, s);
	summary_programs(&p, &w, s);
	summary_regions(&p, &w, s);
	summary_tracker(&p, &w, s);
	summary_warnings(&p, s);
	if (s->record_path) {
		page_label(&p, "Record", INK_PLAIN);
		page_unbroken(&p, s->record_path);
		page_end(&p);
	}
	buffer_release(&w.text);
}
