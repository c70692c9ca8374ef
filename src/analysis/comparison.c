/* comparison.c - two sides of runs, quantity by quantity, and what it means. */
#include "comparison.h"

#include <string.h>

const char *const verdicts[VERDICT_COUNT] = { "unknown", "same", "less", "more" };

/* What a quantity changes by without anything having changed, even between two runs. */
static double floor_of(enum unit unit)
{
	switch (unit) {
	case UNIT_BYTES: return 4 * 1048576.0;
	case UNIT_SECONDS:
	case UNIT_CORES: return 0.05;
	case UNIT_COUNT:
	case UNIT_PERCENT:
	case UNIT_WATTS:
	case UNIT_JOULES:
	case UNIT_CELSIUS:
	case UNIT_HERTZ: break;
	}
	return 1;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The known values of a quantity, sorted. */
static size_t values_of(double ret[RUNS_MOST], const struct side *side, enum quantity q)
{
	size_t n = 0;

	for (size_t i = 0; i < side->n; i++)
		if (!is_none(side->runs[i].of[q]))
			ret[n++] = side->runs[i].of[q];
	qsort(ret, n, sizeof *ret, by_value);
	return n;
}

static double median(const double *sorted, size_t n)
{
	return n == 0 ? NONE : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

static struct row row_of(const struct side *base, const struct side *new, enum quantity q)
{
	double a[RUNS_MOST], b[RUNS_MOST];
	size_t n = values_of(a, base, q), m = values_of(b, new, q);
	struct row row = {
		.base = median(a, n), .new = median(b, m),
		.base_spread = n > 1 ? a[n - 1] - a[0] : NONE, .new_spread = m > 1 ? b[m - 1] - b[0] : NONE,
		.change_percent = NONE, .verdict = VERDICT_UNKNOWN,
	};

	if (n == 0 || m == 0)
		return row;
	if (fabs(row.base) > 0)
		row.change_percent = 100 * (row.new - row.base) / row.base;
	row.verdict = VERDICT_SAME;
	if (fabs(row.new - row.base) < floor_of(quantities[q].unit))
		return row;
	if (row.new > row.base && rank_sum_stands_out(a, n, b, m))
		row.verdict = VERDICT_MORE;
	else if (row.new < row.base && rank_sum_stands_out(b, m, a, n))
		row.verdict = VERDICT_LESS;
	return row;
}

int compare(struct comparison *ret, const struct side *base, const struct side *new, const struct condition *conditions,
	    size_t n_conditions, struct why *why)
{
	struct comparison c = { .base = base, .new = new, .conditions = conditions, .n_conditions = n_conditions };

	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		c.rows[q] = row_of(base, new, q);
	for (size_t i = 0; i < n_conditions; i++) {
		struct row *row = &c.rows[conditions[i].quantity];

		if (is_none(row->new) || (conditions[i].of_change && is_none(row->base)))
			return why_set(why, -ENODATA, "--fail-on '%s' cannot be judged: %s is not known of the %s runs",
				       conditions[i].text, quantities[conditions[i].quantity].name,
				       is_none(row->new) ? "new" : "base");
		c.met[i] = condition_met(&conditions[i], row->base, row->new) &&
			   (!conditions[i].of_change || row->verdict != VERDICT_SAME);
		row->failed = row->failed || c.met[i];
		c.failed = c.failed || c.met[i];
	}
	*ret = c;
	return 0;
}
