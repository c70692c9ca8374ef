/* spread_text.c - how the ranks of a job differ, as lines of text. */
#include "spread_text.h"

#include "../text/human.h"

enum { COLUMN = 11, RANK_COLUMN = PAGE_INDENT + 53, FIRST_COLUMN = PAGE_INDENT + 9, RATIO_COLUMN = RANK_COLUMN + 5 };

static void write_value(struct buffer *out, enum unit unit, double value)
{
	if (is_none(value))
		buffer_text(out, "-");
	else if (unit == UNIT_BYTES)
		human_bytes(out, value);
	else if (unit == UNIT_SECONDS)
		human_seconds(out, value);
	else
		human_cores(out, value);
}

static void write_spread(struct page *p, struct phrase *w, const struct ranks_view *v, enum spread_of i)
{
	const struct spread *s = &v->spread[i];
	const double values[] = { s->least, s->median, s->p95, s->most };

	if (s->ranks == 0)
		return;
	page_label(p, "", INK_PLAIN);
	page_phrase(p, 0, spreads[i].name, INK_PLAIN);
	for (size_t k = 0; k < countof(values); k++) {
		write_value(phrase_new(w), spreads[i].unit, values[k]);
		page_tab(p, FIRST_COLUMN + (unsigned)k * COLUMN);
		page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	}
	page_tab(p, RANK_COLUMN);
	buffer_format(phrase_new(w), "%lld", (long long)v->ranks.at[s->most_rank].number);
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	page_tab(p, RATIO_COLUMN);
	if (is_none(s->imbalance))
		buffer_text(phrase_new(w), "-");
	else
		buffer_format(phrase_new(w), "%.2f", s->imbalance);
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	page_end(p);
}

void spreads_text(struct page *p, struct phrase *w, const struct ranks_view *v)
{
	static const struct { const char *text; unsigned column; } heads[] = {
		{ "least", FIRST_COLUMN }, { "median", FIRST_COLUMN + COLUMN }, { "p95", FIRST_COLUMN + 2 * COLUMN },
		{ "most", FIRST_COLUMN + 3 * COLUMN }, { "rank", RANK_COLUMN }, { "most/mean", RATIO_COLUMN },
	};

	page_label(p, "Ranks", INK_PLAIN);
	for (size_t k = 0; k < countof(heads); k++) {
		page_tab(p, heads[k].column);
		page_phrase(p, 0, heads[k].text, INK_FAINT);
	}
	page_end(p);
	for (enum spread_of i = 0; i < SPREAD_COUNT; i++)
		write_spread(p, w, v, i);
}
