/* summary_tracker.c - what we cost ourselves. */
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
