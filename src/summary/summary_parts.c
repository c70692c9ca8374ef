/* summary_parts.c - shared by the files of the summary: phrases, totals, and lines of the same form. */
#include "summary_parts.h"

#include <string.h>

#include "../text/human.h"

enum { GRAPH_LEAST = 12 };                      /* columns; with less room a graph gets a line of its own */

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

void phrase_fit(struct buffer *text, unsigned width, bool utf8)
{
	const char *dots = utf8 ? "…" : "...";
	size_t keep = width - 3, front = keep * 2 / 3, back = keep - front;

	if (text->len <= width || width < 10)
		return;
	while (front > 0 && ((unsigned char)text->at[front] & 0xc0) == 0x80)
		front--;

	size_t tail = text->len - back;

	while (tail < text->len && ((unsigned char)text->at[tail] & 0xc0) == 0x80)
		tail++;

	char end[PAGE_WIDEST];
	size_t n = size_min(text->len - tail, sizeof end);

	memcpy(end, text->at + tail, n);
	text->len = front;
	buffer_text(text, dots);
	buffer_bytes(text, end, n);
}

struct statistic summary_total(const struct aggregate *whole, enum total_metric m)
{
	if (m == METRIC_NONE)
		return (struct statistic){ NONE, NONE, NONE, NONE, NONE, 0 };
	return aggregate_total(whole, &tables[TABLE_TOTAL].metrics[m - 1]);
}

bool summary_tracks(const struct summary *s)
{
	return s->tracked || s->run.command || s->run.n_pids > 0;
}

double summary_seconds(const struct summary *s)
{
	return (double)(s->status.end_monotonic_ns - s->run.start_monotonic_ns) / 1e9;
}

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

void summary_say(struct page *p, struct buffer *text, const char *label, enum ink ink)
{
	buffer_char(text, '\0');
	page_label(p, label, ink);
	page_words(p, text->failed ? "" : text->at, INK_PLAIN);
	page_end(p);
	buffer_clear(text);
}
