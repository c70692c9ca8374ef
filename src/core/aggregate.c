/* aggregate.c - combines many samples into one. */
#include "aggregate.h"

#include <string.h>

static const double STEADY_SECONDS = 0.1;       /* shorter samples give no maximum of a rate */

struct running {
	double seconds, sum;                    /* sum: of amounts, or of level x seconds */
	double maximum, minimum;                /* before the first value: -inf, +inf */
	double last;                            /* NONE: never known */
};

/* Rows of one table: each is its key, then a struct running for each metric. */
struct pool { char *at; size_t n, room, key_size, stride; };

struct aggregate {
	struct pool pools[TABLE_COUNT];
	size_t samples;
	double seconds, longest;                /* longest: interval of a sample */
};

struct span { double seconds, per_second; bool baseline, steady; };

static size_t key_size(const struct table_info *info)
{
	size_t size = info->metrics[0].offset;

	for (size_t i = 0; i < info->n_labels; i++)
		size = size_min(size, info->labels[i].offset);
	return (size + 7) / 8 * 8;
}

struct aggregate *aggregate_open(void)
{
	struct aggregate *a = calloc(1, sizeof *a);

	for (size_t t = 0; a && t < TABLE_COUNT; t++) {
		struct pool *p = &a->pools[t];

		p->key_size = key_size(&tables[t]);
		p->stride = p->key_size + tables[t].n_metrics * sizeof(struct running);
	}
	return a;
}

void aggregate_close(struct aggregate *a)
{
	for (size_t t = 0; a && t < TABLE_COUNT; t++)
		free(a->pools[t].at);
	free(a);
}

void aggregate_clear(struct aggregate *a)
{
	for (size_t t = 0; t < TABLE_COUNT; t++)
		a->pools[t].n = 0;
	a->samples = 0;
	a->seconds = 0;                         /* longest stays: it shows the usual interval */
}

static const char *pool_key(const struct pool *p, size_t row)
{
	return p->at + row * p->stride;
}

static struct running *pool_metrics(const struct pool *p, size_t row)
{
	return (void *)(p->at + row * p->stride + p->key_size);
}

/* A new row at the end, or NULL if the table is full or memory is short. */
static struct running *pool_add(struct pool *p, const struct table_info *info, const char *key)
{
	if (p->n >= size_max(info->max, AGGREGATE_ROWS_MAX))
		return NULL;
	if (p->n == p->room) {
		size_t room = p->room ? 2 * p->room : info->max == 1 ? 1 : 4;
		char *at = realloc(p->at, room * p->stride);

		if (!at)
			return NULL;
		p->at = at;
		p->room = room;
	}

	char *row = p->at + p->n * p->stride;
	size_t length = size_min(strlen(key), p->key_size - 1);
	struct running *metrics = pool_metrics(p, p->n++);

	memcpy(row, key, length);
	row[length] = '\0';
	for (size_t i = 0; i < info->n_metrics; i++)
		metrics[i] = (struct running){
			.maximum = -(double)INFINITY, .minimum = (double)INFINITY, .last = NONE,
		};
	return metrics;
}

/* p->n: no row has this key. */
static size_t pool_row(const struct pool *p, const char *key, size_t hint)
{
	for (size_t step = 0; step < p->n; step++) {
		size_t row = hint + step < p->n ? hint + step : (hint + step) % p->n;

		if (strcmp(pool_key(p, row), key) == 0)
			return row;
	}
	return p->n;
}

static struct running *pool_find(struct pool *p, const struct table_info *info, const char *key, size_t hint)
{
	size_t row = pool_row(p, key, hint);

	return row < p->n ? pool_metrics(p, row) : pool_add(p, info, key);
}

static void add_row(struct running *to, const struct table_info *info, const char *row, const struct span *span)
{
	for (size_t i = 0; i < info->n_metrics; i++, to++) {
		const struct metric *m = &info->metrics[i];
		double value;

		memcpy(&value, row + m->offset, sizeof value);
		if (is_none(value))
			continue;

		bool amount = m->kind == KIND_AMOUNT, rate = amount || m->unit == UNIT_CORES;
		double shown = amount ? value * span->per_second : value;

		to->seconds += span->seconds;
		to->sum += amount ? value : value * span->seconds;
		to->last = value;
		if (!rate || span->steady || (span->baseline && !amount)) {
			to->maximum = shown > to->maximum ? shown : to->maximum;
			to->minimum = shown < to->minimum ? shown : to->minimum;
		}
	}
}

void aggregate_add(struct aggregate *a, const struct sample *s)
{
	struct span span = { .baseline = is_none(s->interval_seconds) || s->interval_seconds <= 0 };

	if (!span.baseline) {
		span.seconds = s->interval_seconds;
		span.per_second = 1 / span.seconds;
		a->longest = span.seconds > a->longest ? span.seconds : a->longest;
		span.steady = span.seconds >= STEADY_SECONDS || 2 * span.seconds >= a->longest;
		a->seconds += span.seconds;
		a->samples++;
	}
	for (enum table t = 0; t < TABLE_COUNT; t++) {
		struct rows rows = sample_rows(s, t);

		for (size_t i = 0; i < rows.n; i++) {
			struct running *to = pool_find(&a->pools[t], &tables[t], row_key(rows, i), i);

			if (to)
				add_row(to, &tables[t], row_key(rows, i), &span);
		}
	}
}

size_t aggregate_samples(const struct aggregate *a)
{
	return a->samples;
}

double aggregate_seconds(const struct aggregate *a)
{
	return a->seconds;
}

size_t aggregate_rows(const struct aggregate *a, enum table t)
{
	return a->pools[t].n;
}

const char *aggregate_key(const struct aggregate *a, enum table t, size_t row)
{
	return pool_key(&a->pools[t], row);
}

size_t aggregate_find(const struct aggregate *a, enum table t, const char *key, size_t hint)
{
	return pool_row(&a->pools[t], key, hint);
}

struct statistic aggregate_row(const struct aggregate *a, enum table t, size_t row, const struct metric *m)
{
	const struct pool *p = &a->pools[t];
	const struct running *r = row < p->n ? &pool_metrics(p, row)[m - tables[t].metrics] : NULL;

	if (!r || is_none(r->last))
		return (struct statistic){ NONE, NONE, NONE, NONE, NONE, 0 };

	/* A level that is known only at the baseline has that value as its mean. */
	double mean = r->seconds > 0 ? r->sum / r->seconds : m->kind == KIND_AMOUNT ? NONE : r->last;
	bool bounded = r->maximum >= r->minimum;

	return (struct statistic){
		.mean = mean,
		.maximum = bounded ? r->maximum : mean,
		.minimum = bounded ? r->minimum : mean,
		.sum = r->sum,
		.last = r->last,
		.seconds = r->seconds,
	};
}

struct statistic aggregate_total(const struct aggregate *a, const struct metric *m)
{
	return aggregate_row(a, TABLE_TOTAL, 0, m);
}

void aggregate_restore(struct aggregate *a, enum table t, const char *key, const struct metric *m,
		       const struct statistic *known)
{
	struct running *row = is_none(known->mean) ? NULL : pool_find(&a->pools[t], &tables[t], key, 0);

	if (!row)
		return;
	row += m - tables[t].metrics;
	row->seconds = known->seconds;
	row->sum = m->kind == KIND_AMOUNT && !is_none(known->sum) ? known->sum : known->mean * known->seconds;
	row->maximum = is_none(known->maximum) ? known->mean : known->maximum;
	row->minimum = is_none(known->minimum) ? row->maximum : known->minimum;
	row->last = is_none(known->last) ? known->mean : known->last;
}

void aggregate_restore_extent(struct aggregate *a, size_t samples, double seconds)
{
	a->samples = samples;
	a->seconds = seconds;
}
