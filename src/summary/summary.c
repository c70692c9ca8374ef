/* summary.c - the end summary, printed after a run. */
#include "summary.h"

#include "../text/human.h"
#include "summary_parts.h"

void summary_tracker(struct page *p, struct phrase *w, const struct summary *s)
{
	double used = summary_total(s->whole, METRIC_tracker_cpu_seconds).sum;
	double missed = summary_total(s->whole, METRIC_tracker_missed_samples).sum;
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
	human_bytes(text, summary_total(s->whole, METRIC_tracker_rss_bytes).maximum);
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
	summary_cost(&p, &w, s);
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
	if (s->next) {
		page_label(&p, "Next", INK_PLAIN);
		page_unbroken(&p, s->next);
		page_end(&p);
	}
	buffer_release(&w.text);
}
