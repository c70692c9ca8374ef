/* region_attribution.c - the use of the tree while each region was open. */
#include "region_attribution.h"

#include <string.h>

#include "../core/limits.h"

enum { BUCKETS = 4096, SPANS_MAX = 1 << 16 };

/* A region that was open or closed for less than this in an interval was closed or open for all of it. */
static const int64_t EDGE_NS = 2000000;
static const int64_t EDGE_SHARE = 10;           /* but at most for the interval divided by this */
/* Longest delay from an end to its reading while a CPU is free; with a longer delay the bounds get wider. */
static const int64_t SURE_NS = 200000;

static const int64_t FOREVER_NS = INT64_MAX / 4;

struct region_span { uint32_t path; int64_t begin_ns, end_ns; };

struct attributed {
	char   path[REGION_PATH_SIZE];
	struct region_use use[REGION_USES];
	bool   known[REGION_USES];
	int64_t short_ns;                       /* since the last reading */
	int64_t open_ns[REGION_SERIES];         /* since the last reading of the series ... */
	int64_t at_reading_ns[REGION_SERIES];   /* ... and during that reading */
	bool   holes[REGION_SERIES], inside[REGION_SERIES];     /* see struct stretch; since that reading */
	double elapsed_seconds, peak_rss_bytes, rss_rise_bytes;
	double rss_at_begin;                    /* of the open entry; NONE: unknown */
	size_t processes_at_begin;
};

void attribution_release(struct attribution *a)
{
	free(a->at);
	free(a->buckets);
	free(a->spans);
	*a = (struct attribution){ 0 };
}

static uint32_t hash_of(const char *path)
{
	uint32_t hash = 2166136261U;

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 16777619U;
	return hash;
}

/* The bucket of this path, or the empty one for it; there are more buckets than paths. */
static uint16_t *bucket_of(const struct attribution *a, const char *path)
{
	uint32_t i = hash_of(path) % BUCKETS;

	while (a->buckets[i] != 0 && strcmp(a->at[a->buckets[i] - 1].path, path) != 0)
		i = (i + 1) % BUCKETS;
	return &a->buckets[i];
}

/* Doubles the room whenever n is a power of two.  false: out of memory. */
static bool reserve(void **at, size_t n, size_t size)
{
	if (n > 0 && (n & (n - 1)) != 0)
		return true;

	void *more = reallocarray(*at, n > 0 ? 2 * n : 1, size);

	if (more)
		*at = more;
	return more != NULL;
}

static struct attributed *path_of(struct attribution *a, const char *path)
{
	void *at = a->at;

	if (!a->buckets && !(a->buckets = calloc(BUCKETS, sizeof *a->buckets)))
		return NULL;

	uint16_t *bucket = bucket_of(a, path);

	if (*bucket != 0)
		return &a->at[*bucket - 1];
	if (a->n == REGION_PATHS_MAX || !reserve(&at, a->n, sizeof *a->at))
		return NULL;
	a->at = at;

	struct attributed *new = &a->at[a->n++];

	*bucket = (uint16_t)a->n;
	*new = (struct attributed){ .peak_rss_bytes = NONE, .rss_rise_bytes = NONE, .rss_at_begin = NONE };
	memcpy(new->path, path, strnlen(path, sizeof new->path - 1));
	return new;
}

void attribution_short(struct attribution *a, const char *path, int64_t ns)
{
	struct attributed *p = ns > 0 ? path_of(a, path) : NULL;

	if (p)
		p->short_ns = ns < FOREVER_NS - p->short_ns ? p->short_ns + ns : FOREVER_NS;
}

void attribution_open(struct attribution *a, const char *path, int64_t begin_ns, int64_t end_ns)
{
	struct attributed *p = *path && end_ns > begin_ns ? path_of(a, path) : NULL;
	void *spans = a->spans;

	if (!p || end_ns <= a->last.at_ns)
		return;
	if (a->n_spans == SPANS_MAX || (a->n_spans == a->room && !reserve(&spans, a->room, sizeof *a->spans))) {
		int64_t from = begin_ns > a->last.at_ns ? begin_ns : a->last.at_ns;

		attribution_short(a, path, end_ns < INT64_MAX ? end_ns - from : 0);
		return;
	}
	a->spans = spans;
	if (a->n_spans == a->room)
		a->room = a->room > 0 ? 2 * a->room : 1;
	a->spans[a->n_spans++] = (struct region_span){ (uint32_t)(p - a->at), begin_ns, end_ns };
}

/* ---- an interval between two readings ------------------------------------------------------ */

/* How long a region was open in the interval (ns of of_ns), and in the interval with its two readings (wide). */
struct open { int64_t ns, of_ns, wide_ns, of_wide_ns; bool holes, inside; };

/*
 * share: the part of the interval in which the region was open; near 0 or 1, within the edge, it is 0 or 1.
 * sure: it was open or closed for all but SURE_NS.  In so short a time no significant CPU time is used, but any number
 * of bytes can be.  So sure_of_bytes also requires that this time is at an end of the interval, from a reading that
 * came a little late, and not an entry, or a gap between two entries, within the interval.
 */
struct part { double share; bool sure, sure_of_bytes; };

static struct part part_of(const struct open *o)
{
	int64_t most = o->of_ns / EDGE_SHARE, edge = most < EDGE_NS ? most : EDGE_NS, closed_ns = o->of_ns - o->ns;

	bool out = o->wide_ns <= SURE_NS, in = o->of_wide_ns - o->wide_ns <= SURE_NS;

	if (o->ns <= edge)
		return (struct part){ 0, out, out && !o->inside };
	if (closed_ns <= edge)
		return (struct part){ 1, in, in && !o->holes };
	return (struct part){ (double)o->ns / (double)o->of_ns, false, false };
}

/*
 * Adds the region's part of `amount`.  All of it can have been used on one side of the region's end, so the bounds are
 * 0 and `amount`, whatever the share.  Memory also shrinks: one side can have freed what the other allocated, so it has
 * no bounds.
 */
static void give(struct attributed *p, size_t use, struct part part, double amount)
{
	struct region_use *u = &p->use[use];
	bool both_ways = use == REGION_RSS_CHANGE, is_time = use == REGION_TREE_CPU || use == REGION_GPU;
	bool sure = is_time ? part.sure : part.sure_of_bytes;

	if (is_none(amount) || (sure && !(part.share > 0)))
		return;
	if (!both_ways && amount < 0)
		amount = 0;
	p->known[use] = true;
	u->value += part.share * amount;
	u->lower += sure ? amount : both_ways ? NONE : 0;
	u->upper += sure || !both_ways ? amount : NONE;
}

/* The spans of one path, as far as they are in an interval. */
struct stretch {
	int64_t open_ns;                        /* time with at least one span open */
	bool    open;                           /* a span is open at the end of the interval */
	bool    goes_on;                        /* ... and began more than the edge before that end */
	bool    holes;                          /* there is a gap between two spans */
	bool    inside;                         /* a span, or several without a gap, began and ended in the interval */
};

static struct stretch stretch_of(const struct region_span *s, size_t n, int64_t from, int64_t to)
{
	struct stretch ret = { 0 };
	const int64_t first = from;
	int64_t piece = to;                     /* begin of the current spans without a gap */

	for (size_t i = 0; i < n; i++) {
		int64_t begin = s[i].begin_ns > from ? s[i].begin_ns : from;
		int64_t end = s[i].end_ns < to ? s[i].end_ns : to;

		ret.open |= s[i].end_ns >= to;
		ret.goes_on |= s[i].end_ns >= to && to - s[i].begin_ns > EDGE_NS;
		if (end <= begin)
			continue;
		if (piece == to || begin > from) {
			ret.holes |= piece < to;
			ret.inside |= piece > first && piece < to;
			piece = begin;
		}
		ret.open_ns += end - begin;
		from = end;                             /* spans are sorted by begin: an overlap counts once */
	}
	ret.inside |= piece > first && piece < to && from < to;
	return ret;
}

static double higher(double a, double b)
{
	return is_none(a) || b > a ? b : a;     /* is_none(b): a */
}

/* If the largest size of any process grew since the last reading, the tree had at least that size in between. */
static void see_memory(struct attributed *p, const struct region_reading *was, const struct region_reading *now,
		       const struct stretch *s, double share)
{
	bool whole = share >= 1;
	double most = now->largest_bytes > was->largest_bytes ? now->largest_bytes : NONE;

	if (whole && is_none(p->rss_at_begin)) {
		p->rss_at_begin = was->rss_bytes;
		p->processes_at_begin = was->processes;
	}
	if (whole)
		p->peak_rss_bytes = higher(p->peak_rss_bytes, higher(was->rss_bytes, most));
	if (whole || s->open)
		p->peak_rss_bytes = higher(p->peak_rss_bytes, now->rss_bytes);
	/* Pages shared after a fork count twice in the sum; that is not a rise. */
	if (now->processes <= p->processes_at_begin)
		most = higher(most, now->rss_bytes);
	if (whole && most >= p->rss_at_begin)
		p->rss_rise_bytes = higher(p->rss_rise_bytes, most - p->rss_at_begin);
	if (!s->goes_on)
		p->rss_at_begin = NONE;
}

static int by_path_and_begin(const void *a, const void *b)
{
	const struct region_span *x = a, *y = b;

	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static enum region_series series_of(size_t use)
{
	if (use >= REGION_AT_SAMPLES)
		return SERIES_SAMPLES;
	return use == REGION_RSS_CHANGE ? SERIES_MEMORY : SERIES_LOOKS;
}

/*
 * The series that this reading contains.  A program's report of its memory is better than the reading taken because
 * the program called: this comes later, and would only add an interval too short to be useful.
 */
static void find_series(bool ret[REGION_SERIES], const struct attribution *a, const struct region_reading *now)
{
	const struct region_series_read *memory = &a->read[SERIES_MEMORY];

	for (size_t k = 0; k < REGION_USES; k++)
		ret[series_of(k)] |= !is_none(now->used[k]);
	if (!now->reported && memory->reported && now->at_ns - memory->at_ns < EDGE_NS * EDGE_SHARE)
		ret[SERIES_MEMORY] = false;
}

/* The part of the series' interval in which the path was open; the next interval begins now. */
static struct part take_part(struct attributed *p, enum region_series series, const struct region_series_read *was,
			     const struct region_reading *now, int64_t at_reading_ns)
{
	struct open open = {
		p->open_ns[series], now->at_ns - was->at_ns,
		p->at_reading_ns[series] + p->open_ns[series], now->at_ns - was->from_ns,
		p->holes[series], p->inside[series],
	};

	p->open_ns[series] = 0;
	p->holes[series] = p->inside[series] = false;
	p->at_reading_ns[series] = at_reading_ns;
	return part_of(&open);
}

static void attribute(struct attribution *a, const struct region_reading *now, const bool known[REGION_SERIES])
{
	const struct region_reading *was = &a->last;
	int64_t interval_ns = now->at_ns - was->at_ns;
	size_t span = 0;

	if (a->n_spans > 1)
		qsort(a->spans, a->n_spans, sizeof *a->spans, by_path_and_begin);
	for (size_t i = 0; i < a->n; i++) {
		struct attributed *p = &a->at[i];
		size_t first = span;

		while (span < a->n_spans && a->spans[span].path == i)
			span++;

		const struct region_span *spans = span > first ? a->spans + first : NULL;
		struct stretch s = stretch_of(spans, span - first, was->at_ns, now->at_ns);

		s.holes |= p->short_ns > 0;
		s.inside |= p->short_ns > 0;
		s.open_ns = s.open_ns + p->short_ns < interval_ns ? s.open_ns + p->short_ns : interval_ns;
		p->short_ns = 0;
		p->elapsed_seconds += (double)s.open_ns / 1e9;

		int64_t at_reading_ns = stretch_of(spans, span - first, now->from_ns, now->at_ns).open_ns;
		struct part part[REGION_SERIES] = { 0 };

		for (size_t k = 0; k < REGION_SERIES; k++) {
			p->open_ns[k] += s.open_ns;
			p->holes[k] |= s.holes;
			p->inside[k] |= s.inside;
			if (known[k])
				part[k] = take_part(p, (enum region_series)k, &a->read[k], now, at_reading_ns);
		}
		for (size_t k = 0; k < REGION_USES; k++)
			if (known[series_of(k)])
				give(p, k, part[series_of(k)], now->used[k] - was->used[k]);
		if (known[SERIES_LOOKS])
			see_memory(p, was, now, &s, part[SERIES_LOOKS].share);
	}
}

/* Keeps the spans that end later; those still open will be reported again for the next pass. */
static void keep_later_spans(struct attribution *a, const struct region_reading *now)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_spans; i++)
		if (a->spans[i].end_ns > now->at_ns && (now->reported || a->spans[i].end_ns < INT64_MAX))
			a->spans[n++] = a->spans[i];
	a->n_spans = n;
}

void attribution_reading(struct attribution *a, const struct region_reading *now)
{
	bool known[REGION_SERIES] = { false };

	if (a->begun && now->at_ns <= a->last.at_ns)
		return;
	find_series(known, a, now);
	if (a->begun)
		attribute(a, now, known);
	for (size_t k = 0; k < REGION_SERIES; k++)
		if (known[k] || !a->begun)
			a->read[k] = (struct region_series_read){ now->from_ns, now->at_ns, now->reported };
	for (size_t k = 0; k < REGION_USES; k++)
		if (!a->begun || (known[series_of(k)] && (k < REGION_AT_SAMPLES || !is_none(now->used[k]))))
			a->last.used[k] = now->used[k];
	if (known[SERIES_LOOKS] || !a->begun) {
		a->last.rss_bytes = now->rss_bytes;
		a->last.processes = now->processes;
	}
	if (now->largest_bytes > a->last.largest_bytes)
		a->last.largest_bytes = now->largest_bytes;
	a->last.at_ns = now->at_ns;
	keep_later_spans(a, now);
	a->begun = true;
}

/* ---- totals ---------------------------------------------------------------------------------- */

void attribution_fill(struct region_totals *to, const struct attribution *a)
{
	for (size_t i = 0; i < to->n; i++) {
		struct region_total *t = &to->at[i];
		uint16_t n = a->buckets ? *bucket_of(a, t->path) : 0;
		const struct attributed *p = n > 0 ? &a->at[n - 1] : NULL;

		t->elapsed_seconds = p ? p->elapsed_seconds : NONE;
		t->peak_rss_bytes = p ? p->peak_rss_bytes : NONE;
		t->rss_rise_bytes = p ? p->rss_rise_bytes : NONE;
		for (size_t k = 0; k < REGION_USES; k++)
			t->use[k] = p && p->known[k] ? p->use[k] : (struct region_use){ NONE, NONE, NONE };
	}
}
