/* summary_memory.c - memory, its bounds, and the peak with its source. */
#include <string.h>

#include "../text/human.h"
#include "rss_peak.h"
#include "summary_parts.h"

/* Closer bounds are shown as one number. */
static const double NARROW = 0.05, NARROW_BYTES = 8 << 20, PAGE = 4096;

static void mean_and_peak(struct page *p, struct phrase *w, struct statistic bytes, double of)
{
	struct buffer *text = phrase_new(w);

	buffer_text(text, "mean ");
	human_bytes(text, bytes.mean);
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	page_tab(p, TAB_PEAK - 2);
	text = phrase_new(w);
	buffer_text(text, "peak ");
	human_bytes(text, bytes.maximum);
	if (of > 0 && !is_none(bytes.maximum)) {
		buffer_text(text, " (");
		human_percent(text, 100 * bytes.maximum / of);
		buffer_char(text, ')');
	}
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
}

static void peak_source(struct page *p, struct phrase *w, const struct rss_peak *peak, bool tabbed)
{
	struct buffer *text = phrase_new(w);

	if (is_none(peak->largest_bytes) && !peak->moment)
		return;
	if (peak->moment) {
		buffer_text(text, "at least: seen between samples");
	} else if (peak->between) {
		buffer_text(text, "at least: ");
		if (peak->program[0])
			human_word(text, peak->program, strlen(peak->program), p->style.utf8);
		else
			buffer_text(text, "a child");
		buffer_format(text, " alone, between samples (%s)", peak->program[0] ? "VmHWM" : "ru_maxrss");
	} else {
		buffer_text(text, peak->incomplete ? "at least: largest process seen " : "largest process ");
		human_bytes(text, peak->largest_bytes);
	}
	page_tab(p, tabbed ? TAB_GRAPH - 2 : 0);
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
}

/* The maxima of the lower and of the upper bounds: the peak of PSS is between them. */
static void pss_bounds(struct page *p, struct phrase *w, const struct summary *s)
{
	double lower = summary_total(s->whole, METRIC_process_pss_lower_bytes).maximum;
	double upper = summary_total(s->whole, METRIC_process_pss_upper_bytes).maximum;
	struct buffer *text = phrase_new(w);

	if (is_none(lower) || is_none(upper) || upper - lower <= NARROW * upper || upper - lower <= NARROW_BYTES)
		return;
	page_label(p, "", INK_PLAIN);
	buffer_text(text, "peak of PSS between ");
	human_bytes(text, lower);
	buffer_text(text, " and ");
	human_bytes(text, upper);
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	page_end(p);
}

/* The peak of a group that others use as well, or that was higher before, is not the job's. */
static void group_peak(struct page *p, struct phrase *w, const struct summary *s)
{
	struct statistic peak = summary_total(s->whole, METRIC_cgroup_memory_peak_bytes);
	struct buffer *text = phrase_new(w);

	/* The peak never falls: it rose if its mean is below its maximum.  A record has no minima. */
	if (!(peak.maximum - peak.mean >= PAGE))
		return;
	page_label(p, "", INK_PLAIN);
	buffer_text(text, "peak of the control group ");
	human_bytes(text, peak.maximum);
	buffer_text(text, ", page cache and others included");
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	page_end(p);
}

static void of_the_tree(struct page *p, struct phrase *w, const struct summary *s, double machine)
{
	struct statistic pss = summary_total(s->whole, METRIC_process_pss_bytes);
	struct statistic rss = summary_total(s->whole, METRIC_process_rss_bytes);
	double limit = summary_total(s->whole, METRIC_cgroup_memory_limit_bytes).minimum;
	double of = limit > 0 && !(machine < limit) ? limit : machine;
	struct rss_peak peak = rss_peak_of(s->whole, s->moments, s->n_moments);
	bool has_pss = !is_none(pss.mean);

	rss.maximum = peak.bytes;
	page_label(p, has_pss ? "Memory PSS" : "Memory RSS", INK_PLAIN);
	mean_and_peak(p, w, has_pss ? pss : rss, of);
	summary_graph(p, w, has_pss ? &s->memory : &s->rss);
	page_end(p);
	if (has_pss || !is_none(peak.largest_bytes) || peak.moment) {
		page_label(p, has_pss ? "       RSS" : "", INK_PLAIN);
		if (has_pss)
			mean_and_peak(p, w, rss, NONE);
		peak_source(p, w, &peak, has_pss);
		page_end(p);
	}
	pss_bounds(p, w, s);
	group_peak(p, w, s);
}

void summary_memory(struct page *p, struct phrase *w, const struct summary *s)
{
	double machine = summary_total(s->whole, METRIC_memory_total_bytes).last;

	if (summary_tracks(s)) {
		of_the_tree(p, w, s, machine);
		return;
	}
	page_label(p, "Memory", INK_PLAIN);
	mean_and_peak(p, w, summary_total(s->whole, METRIC_memory_used_bytes), machine);
	summary_graph(p, w, &s->memory);
	page_end(p);
}
