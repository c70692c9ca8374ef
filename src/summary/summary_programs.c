/* summary_programs.c - the programs that used most, as lines of the summary. */
#include <string.h>

#include "../text/human.h"
#include "program_uses.h"
#include "summary_parts.h"

/* "sed x5000": the number of its processes, if known and more than one. */
static const char *name_and_number(struct phrase *w, const struct program_use *u, bool utf8)
{
	struct buffer number = { 0 }, *text = phrase_new(w);
	enum { WIDTH = TAB_PEAK - PAGE_INDENT - 2,
	       LEAST = 10 };

	if (u->started > 1)
		buffer_format(&number, utf8 ? " \u00d7%.0f" : " x%.0f", u->started);
	human_word(text, u->name, strlen(u->name), utf8);
	phrase_fit(text, (unsigned)size_max(LEAST, WIDTH - size_min(WIDTH, number.len)), utf8);
	if (number.at && !number.failed)
		buffer_bytes(text, number.at, number.len);
	buffer_release(&number);
	return phrase_text(w);
}

static void line(struct page *p, const char *label, const char *name, double cpu_seconds, const char *more)
{
	struct phrase w = { { 0 } };

	page_label(p, label, INK_PLAIN);
	page_phrase(p, 0, name, INK_PLAIN);
	page_tab(p, TAB_PEAK - 2);
	buffer_text(&w.text, "CPU ");
	human_seconds(&w.text, cpu_seconds);
	page_phrase(p, 2, phrase_text(&w), INK_PLAIN);
	page_tab(p, TAB_GRAPH - 2);
	page_phrase(p, 2, more, INK_PLAIN);
	page_end(p);
	buffer_release(&w.text);
}

static const char *memory(struct phrase *w, const struct program_use *u)
{
	struct buffer *text = phrase_new(w);

	if (is_none(u->peak_bytes))
		return "memory not seen";
	buffer_format(text, "%s ", u->peak_of);
	human_bytes(text, u->peak_bytes);
	return phrase_text(w);
}

static const char *which_others(struct phrase *w, const struct program_uses *all)
{
	struct buffer *text = phrase_new(w);

	if (all->others_named > 0)
		human_count(text, (double)all->others_named, "program", "programs");
	if (all->others_more)
		buffer_text(text, all->others_named > 0 ? " and more" : "each with little use");
	return phrase_text(w);
}

void summary_programs(struct page *p, struct phrase *w, const struct summary *s)
{
	struct phrase more = { { 0 } };
	struct program_uses all;

	program_uses_read(&all, s->whole);
	for (size_t i = 0; i < all.n; i++)
		line(p, i == 0 ? "Programs" : "", name_and_number(w, &all.at[i], p->style.utf8), all.at[i].cpu_seconds,
		     memory(&more, &all.at[i]));
	if (all.n > 0 && (all.others_named > 0 || all.others_more))
		line(p, "", name_and_number(w, &all.others, p->style.utf8), all.others.cpu_seconds,
		     which_others(&more, &all));
	if (all.n > 0 && !is_none(all.short_lived_seconds))
		line(p, "", "(short-lived)", all.short_lived_seconds, "not seen while it was used");
	buffer_release(&more.text);
}
