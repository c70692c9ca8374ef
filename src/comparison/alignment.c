/* alignment.c - two recordings of the same time, row by row. */
#include "alignment.h"

#include <string.h>

#include "../readers/recording.h"

/* The current row and the one after it. */
struct side {
	struct row_source from;
	struct timed_row row[2];
	size_t n;
	bool   whole_seconds;
};

static bool is_whole(const struct timed_row *row)
{
	return row->wall_ns % NS_PER_SECOND == 0;
}

static void fill(struct side *s)
{
	while (s->n < countof(s->row) && s->from.next(s->from.from, &s->row[s->n]))
		s->n++;
}

static void begin(struct side *s, struct row_source from)
{
	s->from = from;
	fill(s);
	s->whole_seconds = s->n == countof(s->row) && is_whole(&s->row[0]) && is_whole(&s->row[1]);
}

static void step(struct side *s)
{
	s->row[0] = s->row[1];
	s->n--;
	fill(s);
}

static int64_t time_of(const struct side *s, size_t i)
{
	return s->row[i].wall_ns + (s->whole_seconds ? NS_PER_SECOND / 2 : 0);
}

static int64_t apart(int64_t a, int64_t b)
{
	return a < b ? b - a : a - b;
}

/* Half of the longer interval; a side without a known interval uses the other's. */
static int64_t tolerance(const struct side *a, const struct side *b)
{
	double x = a->row[0].interval_seconds, y = b->row[0].interval_seconds, longer = is_none(x) || y > x ? y : x;

	return is_none(longer) ? 0 : (int64_t)llrint(longer / 2 * 1e9);
}

/* Whether the row after this one is nearer to the other side's. */
static bool next_is_nearer(const struct side *s, const struct side *other)
{
	return s->n > 1 && apart(time_of(s, 1), time_of(other, 0)) < apart(time_of(s, 0), time_of(other, 0));
}

/* ---- the figures --------------------------------------------------------------------------- */

static double value_of(const struct timed_row *row, const struct metric *m)
{
	double value;

	memcpy(&value, (const char *)&row->total + m->offset, sizeof value);
	return m->kind == KIND_AMOUNT ? value / row->interval_seconds : value;
}

/* Welford's mean and sum of squares: stable for any number of rows. */
static void add(struct aligned *to, const double value[2])
{
	if (!isfinite(value[0]) || !isfinite(value[1]))
		return;
	to->n++;
	for (size_t i = 0; i < 2; i++) {
		double before = to->n > 1 ? value[i] - to->mean[i] : 0;

		to->mean[i] = to->n > 1 ? to->mean[i] + before / (double)to->n : value[i];
		to->spread[i] += before * (value[i] - to->mean[i]);
		to->least[i] = to->n > 1 ? fmin(to->least[i], value[i]) : value[i];
		to->most[i] = to->n > 1 ? fmax(to->most[i], value[i]) : value[i];
	}
	to->difference += (fabs(value[0] - value[1]) - to->difference) / (double)to->n;
}

static void join(struct alignment *to, const struct timed_row *a, const struct timed_row *b)
{
	const struct table_info *info = &tables[TABLE_TOTAL];

	to->joined++;
	for (size_t i = 0; i < info->n_metrics; i++) {
		const struct metric *m = &info->metrics[i];

		if (m->kind == KIND_LEVEL || m->kind == KIND_AMOUNT)
			add(&to->of[i], (double[2]){ value_of(a, m), value_of(b, m) });
	}
}

static void finish(struct aligned *a)
{
	for (size_t i = 0; i < 2; i++)
		a->spread[i] = a->n > 1 ? sqrt(a->spread[i] / (double)(a->n - 1)) : NONE;
	a->deviation_percent = fabs(a->mean[0]) > 0 ? 100 * a->difference / fabs(a->mean[0]) : NONE;
}

int alignment_read(struct alignment *ret, struct row_source a, struct row_source b)
{
	size_t n_metrics = tables[TABLE_TOTAL].n_metrics;
	struct alignment to = { .of = calloc(n_metrics, sizeof *to.of) };
	struct side *s = calloc(2, sizeof *s);

	if (!to.of || !s) {
		free(to.of);
		free(s);
		return -ENOMEM;
	}
	begin(&s[0], a);
	begin(&s[1], b);
	while (s[0].n > 0 && s[1].n > 0) {
		int64_t first = time_of(&s[0], 0), second = time_of(&s[1], 0);
		size_t earlier = first > second;

		if (apart(first, second) > tolerance(&s[0], &s[1]) || next_is_nearer(&s[earlier], &s[!earlier])) {
			to.alone[earlier]++;
			step(&s[earlier]);
			continue;
		}
		join(&to, &s[0].row[0], &s[1].row[0]);
		step(&s[0]);
		step(&s[1]);
	}
	for (size_t i = 0; i < 2; i++) {
		to.whole_seconds[i] = s[i].whole_seconds;
		for (; s[i].n > 0; step(&s[i]))
			to.alone[i]++;
	}
	free(s);
	for (size_t i = 0; i < n_metrics; i++)
		finish(&to.of[i]);
	*ret = to;
	return 0;
}

void alignment_release(struct alignment *a)
{
	free(a->of);
	*a = (struct alignment){ .of = NULL };
}

static bool next_row(void *from, struct timed_row *ret)
{
	struct recording *r = from;
	const struct sample *s;

	if (!recording_next(r))
		return false;
	s = recording_sample(r);
	ret->wall_ns = s->wall_ns;
	ret->interval_seconds = s->interval_seconds;
	ret->total = s->total;
	return true;
}

int alignment_of_paths(struct buffer *out, const char *const paths[2],
		       void (*write)(struct buffer *, const struct alignment *, const char *const names[2]),
		       struct why *why)
{
	struct recording *r[2] = { NULL, NULL };
	struct alignment a = { .of = NULL };
	int result = recording_open(&r[0], paths[0], why);

	if (result == 0)
		result = recording_open(&r[1], paths[1], why);
	if (result == 0 && alignment_read(&a, (struct row_source){ next_row, r[0] },
					  (struct row_source){ next_row, r[1] }) < 0)
		result = why_set(why, -ENOMEM, "out of memory");
	for (size_t i = 0; result == 0 && i < 2; i++)
		if (recording_failed(r[i], why))
			result = -EBADMSG;
	if (result == 0 && a.joined == 0)
		result = why_set(why, -ENODATA, "no row of one is within half an interval of one of the other: "
				 "are they of the same time?");
	if (result == 0)
		write(out, &a, paths);
	alignment_release(&a);
	recording_close(r[0]);
	recording_close(r[1]);
	return result;
}
