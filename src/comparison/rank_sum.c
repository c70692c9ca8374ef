/* rank_sum.c - tests whether values of one side are larger than those of the other by more than chance. */
#include "rank_sum.h"

double rank_sum_pairs(const double *low, size_t n_low, const double *high, size_t n_high)
{
	double pairs = 0;

	for (size_t i = 0; i < n_low; i++)
		for (size_t j = 0; j < n_high; j++)
			pairs += low[i] > high[j] ? 1 : low[i] < high[j] ? 0 : 0.5;
	return pairs;
}

/*
 * The number of orders of n + m values with u inverted pairs is the coefficient of q^u in the Gaussian binomial: the
 * product of (1 - q^(m+i)) / (1 - q^i) for i = 1 ... n.
 */
double rank_sum_chance(double pairs, size_t n, size_t m)
{
	size_t most = n * m;
	double all = 0, few = 0;

	if (n == 0 || m == 0 || n > RANK_SUM_MOST || m > RANK_SUM_MOST)
		return 1;

	double *orders = calloc(most + 1, sizeof *orders);

	if (!orders)
		return 1;
	orders[0] = 1;
	for (size_t i = 1; i <= n; i++) {
		for (size_t u = most; u >= m + i; u--)
			orders[u] -= orders[u - m - i];
		for (size_t u = i; u <= most; u++)
			orders[u] += orders[u - i];
	}
	for (size_t u = 0; u <= most; u++) {
		all += orders[u];
		few += (double)u <= pairs ? orders[u] : 0;
	}
	free(orders);
	return few / all;
}

bool rank_sum_stands_out(const double *low, size_t n_low, const double *high, size_t n_high)
{
	static const double CHANCE = 0.01;
	double pairs = rank_sum_pairs(low, n_low, high, n_high);

	return pairs <= 0 || rank_sum_chance(pairs, n_low, n_high) <= CHANCE;
}
