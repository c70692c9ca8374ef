/* summary_cpu.c - the CPU time of a run, its bounds, and its source. */
#include <string.h>

#include "../text/human.h"
#include "summary_parts.h"

/* If the upper bound is higher than this, only the lower one is shown. */
static const double TELLING = 1.25;

const char *summary_cpu_source_words(const char *source)
{
	static const struct { const char *source, *words; } all[] = {
		{ "cgroup", "own control group" },
		{ "cgroup1", "own control group" },
		{ "perf", "perf and waited children" },
		{ "ledger", "live processes and waited children" },
		{ "visible", "live processes" },
	};

	for (size_t i = 0; i < countof(all); i++)
		if (strcmp(source, all[i].source) == 0)
			return all[i].words;
	return NULL;
}

/* "between 3.98s and 4.05s", or "exact" if both bounds print the same. */
static void bounds(struct buffer *text, double lower, double upper)
{
	size_t start, middle;

	buffer_text(text, "between ");
	start = text->len;
	human_seconds(text, lower);
	middle = text->len;
	buffer_text(text, " and ");
	size_t second = text->len;

	human_seconds(text, upper);
	if (text->at && middle - start == text->len - second &&
	    memcmp(text->at + start, text->at + second, middle - start) == 0) {
		text->len = start - strlen("between ");
		buffer_text(text, "exact");
	}
}

static void source_and_bounds(struct page *p, struct phrase *w, const struct summary *s)
{
	double lower = summary_total(s->whole, METRIC_process_cpu_lower_seconds).sum;
	double upper = summary_total(s->whole, METRIC_process_cpu_upper_seconds).sum;
	const char *words = summary_cpu_source_words(s->cpu_source);
	struct buffer *text = phrase_new(w);

	if (!words || is_none(lower) || is_none(upper))
		return;
	page_label(p, "", INK_PLAIN);
	if (upper <= TELLING * lower)
		bounds(text, lower, upper);
	else
		buffer_text(text, "at least");
	buffer_format(text, ": %s", words);
	page_words(p, phrase_text(w), INK_FAINT);
	page_end(p);
}

static struct statistic total(const struct summary *s, enum total_metric m)
{
	return summary_total(s->whole, m);
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

	/* Total CPU time over elapsed time is exact; a mean of levels is not. */
	double mean = tree && !is_none(all) && summary_seconds(s) > 0 ? all / summary_seconds(s) : cores.mean;

	page_label(p, "CPU", INK_PLAIN);
	buffer_text(text, "mean ");
	human_cores(text, mean);
	buffer_text(text, is_none(mean) ? "" : " cores");
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	page_tab(p, TAB_PEAK - 2);
	text = phrase_new(w);
	buffer_text(text, "peak ");
	/* Samples that are too short are left out of the maximum; a peak is never below the mean. */
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
		source_and_bounds(p, w, s);
}
