/* comparison.c - compares two sides of runs, quantity by quantity, and judges the differences. */
#include "comparison.h"

#include <string.h>

const char *const verdicts[VERDICT_COUNT] = { "unknown", "same", "less", "more" };

/* Changes of a quantity up to this size are noise, even between two equal runs. */
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

/* The known values of a quantity on this basis; returns how many. */
static size_t values_of(double ret[RUNS_MOST], const struct side *side, enum quantity q, enum basis basis)
{
	size_t n = 0;

	for (size_t i = 0; basis < BASIS_COUNT && i < side->n; i++)
		if (!is_none(side->runs[i].by[q][basis]))
			ret[n++] = side->runs[i].by[q][basis];
	return n;
}

static struct basis_set bases_of(const struct side *base, const struct side *new, enum quantity q)
{
	struct basis_set set = basis_set_all();

	for (size_t i = 0; i < base->n; i++)
		basis_set_narrow(&set, &base->runs[i], q);
	for (size_t i = 0; i < new->n; i++)
		basis_set_narrow(&set, &new->runs[i], q);
	return set;
}

static double median(const double *sorted, size_t n)
{
	return n == 0 ? NONE : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

struct row compare_values(double *a, size_t n, double *b, size_t m, enum unit unit)
{
	if (n > 0)
		qsort(a, n, sizeof *a, by_value);
	if (m > 0)
		qsort(b, m, sizeof *b, by_value);

	struct row row = {
		.base = median(a, n), .new = median(b, m),
		.base_spread = n > 1 ? a[n - 1] - a[0] : NONE, .new_spread = m > 1 ? b[m - 1] - b[0] : NONE,
		.change_percent = NONE, .basis = BASIS_COUNT, .verdict = VERDICT_UNKNOWN,
	};

	if (n == 0 || m == 0)
		return row;
	if (fabs(row.base) > 0)
		row.change_percent = 100 * (row.new - row.base) / fabs(row.base);
	row.verdict = VERDICT_SAME;
	if (fabs(row.new - row.base) < floor_of(unit))
		return row;
	if (row.new > row.base && rank_sum_stands_out(a, n, b, m))
		row.verdict = VERDICT_MORE;
	else if (row.new < row.base && rank_sum_stands_out(b, m, a, n))
		row.verdict = VERDICT_LESS;
	return row;
}

void compare_sides(struct comparison *ret, const struct side *base, const struct side *new,
		   const struct condition *conditions, size_t n_conditions)
{
	struct comparison c = { .base = base, .new = new, .conditions = conditions, .n_conditions = n_conditions };
	double a[RUNS_MOST], b[RUNS_MOST];

	for (enum quantity q = 0; q < QUANTITY_COUNT; q++) {
		struct basis_set set = bases_of(base, new, q);
		enum basis basis = basis_set_best(&set);
		size_t n = values_of(a, base, q, basis), m = values_of(b, new, q, basis);

		c.rows[q] = compare_values(a, n, b, m, quantities[q].unit);
		c.rows[q].basis = basis;
		c.rows[q].mixed = set.any && basis == BASIS_COUNT;
	}
	*ret = c;
}

bool comparison_judge(struct comparison *c, size_t i)
{
	const struct condition *condition = &c->conditions[i];
	struct row *row = &c->rows[condition->quantity];

	if (is_none(row->new) || (condition->of_change && is_none(row->base)))
		return false;
	c->met[i] = condition_met(condition, row->base, row->new) &&
		    (!condition->of_change || row->verdict != VERDICT_SAME);
	row->failed = row->failed || c->met[i];
	c->failed = c->failed || c->met[i];
	return true;
}

int compare(struct comparison *ret, const struct side *base, const struct side *new, const struct condition *conditions,
	    size_t n_conditions, struct why *why)
{
	compare_sides(ret, base, new, conditions, n_conditions);
	for (size_t i = 0; i < n_conditions; i++) {
		const struct row *row = &ret->rows[conditions[i].quantity];
		const char *name = quantities[conditions[i].quantity].name;

		if (comparison_judge(ret, i))
			continue;
		return row->mixed ? why_set(why, -ENODATA, "--fail-on '%s' cannot be judged: %s is " COMPARISON_MIXED,
					    conditions[i].text, name)
				  : why_set(why, -ENODATA, "--fail-on '%s' cannot be judged: %s is not known of the %s runs",
					    conditions[i].text, name, is_none(row->new) ? "new" : "base");
	}
	return 0;
}
