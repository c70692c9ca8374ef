/* summary_programs.c - the programs that used most, as lines of a summary. */
#include <string.h>

#include "human.h"
#include "summary_parts.h"

enum { PROGRAMS_SHOWN = 3 };

static const struct metric *program_metric(const char *name)
{
	const struct table_info *info = &tables[TABLE_PROGRAM];

	for (size_t i = 0; i < info->n_metrics; i++)
		if (strcmp(info->metrics[i].name, name) == 0)
			return &info->metrics[i];
	return NULL;
}

/* Rows by CPU time, at most PROGRAMS_SHOWN; the rest that a sample sums up as "others" is no program. */
static size_t top_programs(size_t ret[PROGRAMS_SHOWN], const struct aggregate *whole)
{
	const struct metric *seconds = program_metric("cpu_seconds");
	size_t n = 0;

	for (size_t row = 0; row < aggregate_rows(whole, TABLE_PROGRAM); row++) {
		double used = add_known(aggregate_row(whole, TABLE_PROGRAM, row, seconds).sum, 0);
		size_t at = n;

		if (strcmp(aggregate_key(whole, TABLE_PROGRAM, row), "others") == 0)
			continue;
		while (at > 0 && used > add_known(aggregate_row(whole, TABLE_PROGRAM, ret[at - 1], seconds).sum, 0))
			at--;
		if (at == PROGRAMS_SHOWN)
			continue;
		n = size_min(n + 1, PROGRAMS_SHOWN);
		memmove(ret + at + 1, ret + at, (n - at - 1) * sizeof ret[0]);
		ret[at] = row;
	}
	return n;
}

void summary_programs(struct page *p, struct phrase *w, const struct summary *s)
{
	const struct metric *seconds = program_metric("cpu_seconds");
	const struct metric *pss = program_metric("pss_bytes"), *rss = program_metric("rss_bytes");
	size_t top[PROGRAMS_SHOWN], n = top_programs(top, s->whole);

	for (size_t i = 0; i < n; i++) {
		const char *name = aggregate_key(s->whole, TABLE_PROGRAM, top[i]);
		double bytes = aggregate_row(s->whole, TABLE_PROGRAM, top[i], pss).maximum;
		struct buffer *text = phrase_new(w);

		if (is_none(bytes))
			bytes = aggregate_row(s->whole, TABLE_PROGRAM, top[i], rss).maximum;
		page_label(p, i == 0 ? "Programs" : "", INK_PLAIN);
		human_word(text, name, strlen(name), p->style.utf8);
		phrase_fit(text, TAB_PEAK - PAGE_INDENT - 2, p->style.utf8);
		page_phrase(p, 0, phrase_text(w), INK_PLAIN);
		page_tab(p, TAB_PEAK - 2);
		text = phrase_new(w);
		buffer_text(text, "CPU ");
		human_seconds(text, aggregate_row(s->whole, TABLE_PROGRAM, top[i], seconds).sum);
		page_phrase(p, 2, phrase_text(w), INK_PLAIN);
		page_tab(p, TAB_GRAPH - 2);
		text = phrase_new(w);
		buffer_text(text, "memory peak ");
		human_bytes(text, bytes);
		page_phrase(p, 2, phrase_text(w), INK_PLAIN);
		page_end(p);
	}
}
