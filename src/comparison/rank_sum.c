/* rank_sum.c - tests whether values of one side are larger than those of the other by more than chance. */
#include "rank_sum.h"

#include <stdlib.h>
#include <string.h>

double rank_sum_pairs(const double *low, size_t n_low, const double *high, size_t n_high)
{
	double pairs = 0;

	for (size_t i = 0; i < n_low; i++)
		for (size_t j = 0; j < n_high; j++)
			pairs += low[i] > high[j] ? 1 : low[i] < high[j] ? 0 : 0.5;
	return pairs;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * How many choices of n among all values have at most `most` inverted pairs, in halves.  ways[i][u]: choices of i among
 * the values so far with u.  Equal values are taken together: k chosen of t come after `before - i` others, which is a
 * whole pair each, and are equal to t - k, half a pair each.
 */
static double count_choices(double *ways, const double *values, size_t all, size_t n, size_t most)
{
	size_t width = most + 1;
	double few = 0;

	ways[0] = 1;
	for (size_t before = 0, t; before < all; before += t) {
		for (t = 1; before + t < all && values[before + t] <= values[before];)
			t++;
		for (size_t i = (before < n ? before : n) + 1; i-- > 0;) {
			double choices = 1;             /* of k among t */

			for (size_t k = 1; k <= t && i + k <= n; k++) {
				size_t added = 2 * k * (before - i) + k * (t - k);

				choices *= (double)(t - k + 1) / (double)k;
				for (size_t u = added; u <= most; u++)
					ways[(i + k) * width + u] += choices * ways[i * width + u - added];
			}
		}
	}
	for (size_t u = 0; u <= most; u++)
		few += ways[n * width + u];
	return few;
}

double rank_sum_chance(const double *low, size_t n, const double *high, size_t m)
{
	double values[2 * RANK_SUM_MOST], choices = 1;

	if (n == 0 || m == 0 || n > RANK_SUM_MOST || m > RANK_SUM_MOST)
		return 1;

	size_t most = (size_t)(2 * rank_sum_pairs(low, n, high, m));
	double *ways = calloc((n + 1) * (most + 1), sizeof *ways);

	if (!ways)
		return 1;
	memcpy(values, low, n * sizeof *low);
	memcpy(values + n, high, m * sizeof *high);
	qsort(values, n + m, sizeof *values, by_value);

	double few = count_choices(ways, values, n + m, n, most);

	free(ways);
	for (size_t i = 1; i <= n; i++)
		choices *= (double)(m + i) / (double)i;
	return few / choices;
}

bool rank_sum_stands_out(const double *low, size_t n_low, const double *high, size_t n_high)
{
	static const double CHANCE = 0.01;
	double pairs = rank_sum_pairs(low, n_low, high, n_high);

	if (pairs > (double)(n_low * n_high) / 2)       /* `high` is the lower one */
		return false;
	return pairs <= 0 || rank_sum_chance(low, n_low, high, n_high) <= CHANCE;
}
