/* summary_regions.c - the parts of the program that it named: how often, how long, how much CPU time. */
#include <string.h>

#include "human.h"
#include "summary_parts.h"

enum { REGIONS_SHOWN = 10 };

/* As it was given, but for what would upset a terminal. */
static void plain(struct buffer *out, const char *text, bool utf8)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		buffer_char(out, *c < ' ' || *c == 0x7f || (*c > 0x7f && !utf8) ? '?' : (char)*c);
}

static bool is_below(const char *path, const char *above)
{
	size_t n = strlen(above);

	return strncmp(path, above, n) == 0 && path[n] == '/';
}

/* The innermost name, set in by as many as are around it. */
static void name(struct page *p, struct phrase *w, const struct region_total *r)
{
	const char *leaf = strrchr(r->path, '/');
	struct buffer *text = phrase_new(w);

	for (const char *c = r->path; *c; c++)
		if (*c == '/')
			buffer_text(text, "  ");
	leaf = leaf ? leaf + 1 : r->path;
	plain(text, leaf, p->style.utf8);
	phrase_fit(text, TAB_PEAK - PAGE_INDENT - 2, p->style.utf8);
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
}

/* Regions are often short. */
static void duration(struct buffer *out, double seconds)
{
	static const struct { double from, unit; const char *name; } units[] = {
		{ 1e-3, 1e-3, " ms" }, { 1e-6, 1e-6, " us" }, { 0, 1e-9, " ns" },
	};
	size_t i = 0;

	if (is_none(seconds) || seconds >= 1) {
		human_seconds(out, seconds);
		return;
	}
	while (seconds < units[i].from)
		i++;

	double n = seconds / units[i].unit;

	buffer_trimmed(out, n, n < 9.995 ? 2 : n < 99.95 ? 1 : 0);
	buffer_text(out, units[i].name);
}

static void figures(struct page *p, struct phrase *w, const struct region_total *r)
{
	struct buffer *text = phrase_new(w);

	page_tab(p, TAB_PEAK - 2);
	duration(text, r->seconds);
	if (!is_none(r->cpu_seconds)) {
		buffer_text(text, ", CPU ");
		duration(text, r->cpu_seconds);
	}
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
	if (r->count < 2)
		return;
	page_tab(p, TAB_GRAPH - 2);
	text = phrase_new(w);
	buffer_u64(text, r->count);
	buffer_text(text, p->style.utf8 ? " \u00d7 " : " x ");
	duration(text, r->seconds / (double)r->count);
	buffer_text(text, ", p95 ");
	duration(text, r->p95_seconds);
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
}

/* What was open at its end; of regions in each other the innermost says it all. */
static void unfinished(struct page *p, struct phrase *w, const struct summary *s)
{
	const struct region_totals *t = &s->regions;
	bool failed = s->status.end == RUN_SIGNALED || (s->status.end == RUN_EXITED && s->status.value != 0);

	for (size_t i = 0, told = 0; i < t->n && told < 3; i++) {
		bool innermost = t->at[i].unfinished > 0;

		for (size_t k = 0; innermost && k < t->n; k++)
			innermost = t->at[k].unfinished == 0 || !is_below(t->at[k].path, t->at[i].path);
		if (!innermost)
			continue;

		struct buffer *text = phrase_new(w);

		page_label(p, "", INK_PLAIN);
		buffer_text(text, failed ? "died in region " : "still open at the end: ");
		plain(text, t->at[i].path, p->style.utf8);
		page_words(p, phrase_text(w), failed ? INK_BAD : INK_PLAIN);
		page_end(p);
		told++;
	}
}

void summary_regions(struct page *p, struct phrase *w, const struct summary *s)
{
	const struct region_totals *t = &s->regions;
	size_t shown = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (!region_among_longest(t, i, REGIONS_SHOWN))
			continue;
		page_label(p, shown++ == 0 ? "Regions" : "", INK_PLAIN);
		name(p, w, &t->at[i]);
		if (t->at[i].count > 0)
			figures(p, w, &t->at[i]);
		page_end(p);
	}
	if (t->n > shown || t->lost > 0) {
		struct buffer *text = phrase_new(w);

		page_label(p, shown == 0 ? "Regions" : "", INK_PLAIN);
		if (t->n > shown)
			buffer_format(text, "%zu more are in the record", t->n - shown);
		if (t->lost > 0)
			buffer_format(text, "%s%llu entries were lost for want of room", t->n > shown ? "; " : "",
				      (unsigned long long)t->lost);
		page_words(p, phrase_text(w), INK_FAINT);
		page_end(p);
	}
	unfinished(p, w, s);
}
