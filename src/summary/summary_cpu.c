/* summary_cpu.c - how sure the CPU time of a tree is, and where it is from. */
#include <string.h>

#include "../text/human.h"
#include "summary_parts.h"

/* A wider interval says no more than its lower end. */
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

/* "between 3.98s and 4.05s", or "exact" where no digit that is shown could be another. */
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

void summary_cpu_source(struct page *p, struct phrase *w, const struct summary *s)
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
