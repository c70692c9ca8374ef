/* summary_cost.c - what the run cost, as a line of the summary. */
#include "../text/human.h"
#include "summary_parts.h"

void summary_cost(struct page *p, struct phrase *w, const struct summary *s)
{
	const struct run_cost *c = s->cost;
	struct buffer *text = phrase_new(w);

	if (!c)
		return;
	human_usd(text, c->usd);
	page_label(p, "Cost", INK_PLAIN);
	page_phrase(p, 0, phrase_text(w), INK_BOLD);
	text = phrase_new(w);
	buffer_format(text, "%s (%s%s%s) at ", c->type, c->vendor, *c->region ? ", " : "", c->region);
	human_usd(text, c->usd_per_hour);
	buffer_format(text, "/h%s%s", *c->date ? " of " : "", c->date);
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
	page_end(p);
}
