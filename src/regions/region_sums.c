/* region_sums.c - sums over the entries of each region, by path. */
#include "region_sums.h"

#include <string.h>

#include "../core/limits.h"

void region_sums_release(struct region_sums *b)
{
	free(b->at);
	*b = (struct region_sums){ 0 };
}

static struct region_sum *entry_of(struct region_sums *b, const char *path)
{
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->at[i].path, path) == 0)
			return &b->at[i];
	if (b->n == REGION_PATHS_MAX || (b->n & (b->n - 1)) == 0) {     /* at a power of two, `at` is full */
		struct region_sum *more = b->n == REGION_PATHS_MAX ? NULL :
					  realloc(b->at, size_max(2 * b->n, 1) * sizeof *more);

		if (!more)
			return NULL;
		b->at = more;
	}

	struct region_sum *e = &b->at[b->n++];
	size_t n = strnlen(path, sizeof e->path - 1);

	memset(e, 0, sizeof *e);
	memcpy(e->path, path, n);
	return e;
}

static void see_extremes(struct rt_region_block *s, uint64_t shortest, uint64_t longest)
{
	if (s->count == 0 || shortest < s->shortest)
		s->shortest = shortest;
	if (longest > s->longest)
		s->longest = longest;
}

void region_sums_add(struct region_sums *b, const char *path, const struct region_visit *v)
{
	struct region_sum *e = entry_of(b, path);

	if (!e) {
		b->lost++;
		return;
	}
	see_extremes(&e->sum, v->wall, v->wall);
	e->sum.count++;
	e->sum.wall += v->wall;
	e->sum.cpu += v->cpu;
	e->sum.abandoned += v->unfinished;
	e->sum.buckets[rt_region_bucket(v->wall)]++;
	e->cpu_unknown |= v->cpu_unknown;
}

void region_sums_add_block(struct region_sums *b, const char *path, const struct rt_region_block *s, bool cpu_unknown)
{
	struct region_sum *e = entry_of(b, path);

	if (!e) {
		b->lost += s->count;
		return;
	}
	if (s->count > 0)
		see_extremes(&e->sum, s->shortest, s->longest);
	e->cpu_unknown |= cpu_unknown;
	e->sum.count += s->count;
	e->sum.recursed += s->recursed;
	e->sum.abandoned += s->abandoned;
	e->sum.wall += s->wall;
	e->sum.cpu += s->cpu;
	for (size_t i = 0; i < RT_REGION_BUCKETS; i++)
		e->sum.buckets[i] += s->buckets[i];
}

void region_sums_add_recursed(struct region_sums *b, const char *path)
{
	struct region_sum *e = entry_of(b, path);

	if (e)
		e->sum.recursed++;
	else
		b->lost++;
}

/* The middle of a bucket. */
static double bucket_ticks(size_t i)
{
	double octave = (double)(UINT64_C(1) << (RT_REGION_LOWEST + i / 8));

	return octave * (1 + ((double)(i % 8) + 0.5) / 8);
}

static void scale_times(struct rt_region_block *s, double scale)
{
	uint64_t *const times[] = { &s->wall, &s->shortest, &s->longest };
	uint32_t was[RT_REGION_BUCKETS];

	if (!(scale < 1 || scale > 1))
		return;
	for (size_t i = 0; i < countof(times); i++)
		*times[i] = (uint64_t)((double)*times[i] * scale);
	memcpy(was, s->buckets, sizeof was);
	memset(s->buckets, 0, sizeof s->buckets);
	for (size_t i = 0; i < RT_REGION_BUCKETS; i++)
		s->buckets[rt_region_bucket((uint64_t)(bucket_ticks(i) * scale))] += was[i];
}

void region_sums_merge(struct region_sums *to, const struct region_sums *from, double scale)
{
	to->lost += from->lost;
	for (size_t i = 0; i < from->n; i++) {
		struct rt_region_block sum = from->at[i].sum;

		scale_times(&sum, scale);
		region_sums_add_block(to, from->at[i].path, &sum, from->at[i].cpu_unknown);
	}
}

/* The middle of the bucket that holds this quantile, limited to the shortest and longest entry. */
static double quantile(const struct rt_region_block *s, double share)
{
	uint64_t all = 0, below = 0;
	size_t i = 0;

	for (size_t k = 0; k < RT_REGION_BUCKETS; k++)
		all += s->buckets[k];
	if (all == 0)
		return NONE;
	for (; i < RT_REGION_BUCKETS - 1; i++) {
		below += s->buckets[i];
		if ((double)below >= share * (double)all)
			break;
	}

	double ticks = bucket_ticks(i);

	double least = (double)s->shortest, most = (double)s->longest;

	return ticks > most ? most : ticks < least ? least : ticks;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct region_total *)a)->path, ((const struct region_total *)b)->path);
}

int region_sums_totals(struct region_totals *ret, const struct region_sums *b, double ns_per_tick)
{
	double second = ns_per_tick / 1e9;
	struct region_totals t = { .lost = b->lost };

	if (b->n > 0 && !(t.at = calloc(b->n, sizeof *t.at)))
		return -ENOMEM;
	for (; t.n < b->n; t.n++) {
		const struct rt_region_block *s = &b->at[t.n].sum;
		bool known = s->count > 0;
		/* The CPU time of unfinished entries is unknown. */
		bool cpu_known = known && !b->at[t.n].cpu_unknown && (s->cpu > 0 || s->count > s->abandoned);

		t.at[t.n] = (struct region_total){
			.count = s->count, .recursed = s->recursed, .unfinished = s->abandoned,
			.seconds = known ? (double)s->wall * second : NONE,
			.shortest_seconds = known ? (double)s->shortest * second : NONE,
			.longest_seconds = known ? (double)s->longest * second : NONE,
			.p50_seconds = quantile(s, 0.5) * second, .p95_seconds = quantile(s, 0.95) * second,
			.p99_seconds = quantile(s, 0.99) * second,
			.cpu_seconds = cpu_known ? (double)s->cpu / 1e9 : NONE,
		};
		memcpy(t.at[t.n].path, b->at[t.n].path, sizeof t.at[t.n].path);
	}
	if (t.n > 1)
		qsort(t.at, t.n, sizeof *t.at, by_path);
	*ret = t;
	return 0;
}

void region_totals_release(struct region_totals *t)
{
	free(t->at);
	*t = (struct region_totals){ 0 };
}
