/* summary_regions.c - the named regions of the program: count, duration, CPU time. */
#include <string.h>

#include "../text/human.h"
#include "summary_parts.h"
#include "../text/shown.h"

enum { REGIONS_SHOWN = 10, TIME_WIDTH = 9 };

static const double BESIDE_EACH_OTHER = 0.95, MORE_THAN_ITS_OWN = 1.1;

/* Copies the text, without characters that would disturb a terminal. */
static void plain(struct buffer *out, const char *text, bool utf8)
{
	for (size_t n = strlen(text), length; n > 0; text += length, n -= length) {
		bool fit;

		length = sign_length(text, n, &fit);
		buffer_bytes(out, fit && (utf8 || length == 1) ? text : "?", fit && utf8 ? length : 1);
	}
}

static bool is_below(const char *path, const char *above)
{
	size_t n = strlen(above);

	return strncmp(path, above, n) == 0 && path[n] == '/';
}

/* The innermost name, indented by its depth. */
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

/* A column of its own for the time: the CPU times stand below each other. */
static void figures(struct page *p, struct phrase *w, const struct region_total *r)
{
	struct buffer *text = phrase_new(w);

	page_tab(p, TAB_PEAK - 2);
	human_duration(text, r->seconds);
	if (!is_none(r->cpu_seconds)) {
		do
			buffer_char(text, ' ');
		while (text->len < TIME_WIDTH);
		buffer_text(text, "CPU ");
		human_duration(text, r->cpu_seconds);
	}
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
	if (r->count < 2)
		return;
	page_tab(p, TAB_GRAPH - 2);
	text = phrase_new(w);
	buffer_u64(text, r->count);
	buffer_text(text, p->style.utf8 ? " \u00d7 " : " x ");
	human_duration(text, r->seconds / (double)r->count);
	buffer_text(text, ", p95 ");
	human_duration(text, r->p95_seconds);
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
}

static void bytes(struct buffer *out, double n) { human_bytes(out, fabs(n)); }

/* The tree's use during the region, if it is worth a note: a lower bound. */
static const struct {
	size_t use;
	const char *words;
	double least;
	void (*put)(struct buffer *out, double n);
} uses[] = {
	{ REGION_TREE_CPU, "all processes' CPU ", 0.01, human_duration }, { REGION_GPU, "GPU ", 0.01, human_duration },
	{ REGION_DISK_READ, "read ", 1 << 20, bytes }, { REGION_DISK_WRITE, "written ", 1 << 20, bytes },
	{ REGION_NET_RECV, "network in ", 1 << 20, bytes }, { REGION_NET_SENT, "network out ", 1 << 20, bytes },
};

void summary_region_use(struct buffer *out, const struct region_use *u, void (*put)(struct buffer *out, double n))
{
	if (region_use_is_exact(u)) {
		put(out, u->value);
		return;
	}
	put(out, u->lower);
	buffer_text(out, " to ");
	put(out, u->upper);
}

static void memory(struct buffer *out, const struct region_total *r)
{
	const struct region_use *change = &r->use[REGION_RSS_CHANGE];

	if (fabs(change->value) >= 1 << 20) {
		buffer_text(out, change->value < 0 ? "memory -" : "memory +");
		bytes(out, change->value);
	} else if (r->rss_rise_bytes >= 1 << 20) {
		/* How much was given back is known only together with the change. */
		buffer_text(out, is_none(change->value) ? "memory rose by at least " : "memory +");
		bytes(out, r->rss_rise_bytes);
		buffer_text(out, is_none(change->value) ? "" : " for a time");
	}
}

static void use(struct buffer *out, const struct region_total *r, size_t i)
{
	const struct region_use *u = &r->use[uses[i].use];
	double known = uses[i].use == REGION_TREE_CPU && !is_none(r->cpu_seconds) ? r->cpu_seconds : 0;

	/* Repeating the same number is of no use. */
	if (!(u->value >= uses[i].least + MORE_THAN_ITS_OWN * known))
		return;
	buffer_text(out, uses[i].words);
	summary_region_use(out, u, uses[i].put);
}

/* One line of the use, if any is worth a note. */
static void used(struct page *p, struct phrase *w, const struct region_total *r)
{
	bool any = false;

	for (size_t i = 0; i < countof(uses) + 2; i++) {
		struct buffer *text = phrase_new(w);

		if (i == 0 && r->elapsed_seconds < BESIDE_EACH_OTHER * r->seconds) {
			buffer_text(text, "within ");
			human_duration(text, r->elapsed_seconds);
		} else if (i == 1) {
			memory(text, r);
		} else if (i > 1) {
			use(text, r, i - 2);
		}
		if (text->len == 0)
			continue;
		if (!any) {
			page_label(p, "", INK_PLAIN);
			page_tab(p, TAB_PEAK - 2);
		}
		page_phrase(p, 2, phrase_text(w), INK_PLAIN);
		any = true;
	}
	if (any)
		page_end(p);
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return k <= n && strcmp(text + n - k, end) == 0;
}

/* Regions open at the end; of nested ones the innermost path contains the others. */
static void unfinished(struct page *p, struct phrase *w, const struct summary *s)
{
	const struct region_totals *t = &s->regions;
	bool failed = s->status.end == RUN_SIGNALED || (s->status.end == RUN_EXITED && s->status.value != 0);

	for (size_t i = 0, reported = 0; i < t->n && reported < 3; i++) {
		bool innermost = t->at[i].unfinished > 0;

		for (size_t k = 0; innermost && k < t->n; k++)
			innermost = t->at[k].unfinished == 0 || !is_below(t->at[k].path, t->at[i].path);
		/* The cause already names one. */
		if (!innermost || (failed && ends_with(s->status.reason.text, t->at[i].path)))
			continue;

		struct buffer *text = phrase_new(w);

		page_label(p, "", INK_PLAIN);
		buffer_text(text, failed ? "died in region " : "still open at the end: ");
		plain(text, t->at[i].path, p->style.utf8);
		page_words(p, phrase_text(w), failed ? INK_BAD : INK_PLAIN);
		page_end(p);
		reported++;
	}
}

/* The seconds of a region; its path is the first n bytes of `path`.  0: unknown. */
static double seconds_of(const struct region_totals *t, const char *path, size_t n)
{
	for (size_t i = 0; i < t->n; i++)
		if (strlen(t->at[i].path) == n && memcmp(t->at[i].path, path, n) == 0)
			return add_known(t->at[i].seconds, 0);
	return 0;
}

/* A region precedes those in it; of two in the same one the longer is first, with all that is in it. */
static bool precedes(const struct region_totals *t, const char *a, const char *b)
{
	size_t same = 0, level;

	if (is_below(a, b) || is_below(b, a))
		return is_below(b, a);
	while (a[same] && a[same] == b[same])
		same++;
	for (level = same; level > 0 && a[level - 1] != '/';)
		level--;

	double of_a = seconds_of(t, a, level + strcspn(a + level, "/"));
	double of_b = seconds_of(t, b, level + strcspn(b + level, "/"));

	return of_a > of_b || (!(of_a < of_b) && strcmp(a, b) < 0);
}

size_t summary_region_order(size_t *ret, size_t most, const struct region_totals *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		size_t at = n;

		if (!region_among_longest(t, i, most))
			continue;
		for (; at > 0 && precedes(t, t->at[i].path, t->at[ret[at - 1]].path); at--)
			ret[at] = ret[at - 1];
		ret[at] = i;
		n++;
	}
	return n;
}

void summary_regions(struct page *p, struct phrase *w, const struct summary *s)
{
	const struct region_totals *t = &s->regions;
	size_t order[REGIONS_SHOWN], shown = summary_region_order(order, REGIONS_SHOWN, t);

	for (size_t i = 0; i < shown; i++) {
		const struct region_total *r = &t->at[order[i]];

		page_label(p, i == 0 ? "Regions" : "", INK_PLAIN);
		name(p, w, r);
		if (r->count > 0)
			figures(p, w, r);
		page_end(p);
		used(p, w, r);
	}
	if (t->n > shown || t->lost > 0) {
		struct buffer *text = phrase_new(w);

		page_label(p, shown == 0 ? "Regions" : "", INK_PLAIN);
		if (t->n > shown)
			human_count(text, (double)(t->n - shown), "more is in the record", "more are in the record");
		if (t->n > shown && t->lost > 0)
			buffer_text(text, "; ");
		if (t->lost > 0) {
			human_count(text, (double)t->lost, "entry was", "entries were");
			buffer_text(text, " lost for want of room");
		}
		page_words(p, phrase_text(w), INK_FAINT);
		page_end(p);
	}
	unfinished(p, w, s);
}
