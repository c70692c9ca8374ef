/* test_rank_sum.c - the probability of a difference by chance. */
#include "fixture.h"

#include <string.h>

#include "comparison/rank_sum.h"

/* The chance of `pairs` inverted pairs among n and m different values: low is 0, 1, 2 ..., high is moved down. */
static double chance_of(size_t pairs, size_t n, size_t m)
{
	double low[65], high[65];

	for (size_t i = 0; i < n; i++)
		low[i] = (double)i;
	for (size_t j = 0; j < m; j++) {
		size_t down = pairs < n ? pairs : n;

		high[j] = (double)(n - down) - 0.5 + (double)j / 100;
		pairs -= down;
	}
	return rank_sum_chance(low, n, high, m);
}

static void exact_chances(void **state)
{
	(void)state;
	assert_near(chance_of(0, 1, 1), 0.5);
	assert_near(chance_of(0, 3, 3), 0.05);
	assert_near(chance_of(0, 5, 5), 1 / 252.0);     /* tables of Mann and Whitney */
	assert_near(chance_of(1, 5, 5), 2 / 252.0);
	assert_near(chance_of(2, 5, 5), 4 / 252.0);
	assert_near(chance_of(4, 5, 5), 12 / 252.0);
	assert_near(chance_of(6, 4, 3), (1 + 1 + 2 + 3 + 4 + 4 + 5) / 35.0);
	assert_near(chance_of(25, 5, 5), 1);
	assert_near(chance_of(7 * 13, 7, 13), 1);
	assert_true(chance_of(0, 64, 64) < 1e-30);
	assert_near(chance_of(64 * 64, 64, 64), 1);
	assert_near(chance_of(0, 65, 1), 1);
	assert_near(chance_of(0, 0, 1), 1);
}

/* Counted over all divisions of the values. */
static double counted_chance(const double *low, size_t n, const double *high, size_t m)
{
	double all[16], observed = rank_sum_pairs(low, n, high, m);
	size_t divisions = 0, few = 0;

	memcpy(all, low, n * sizeof *low);
	memcpy(all + n, high, m * sizeof *high);
	for (unsigned chosen = 0; chosen < 1U << (n + m); chosen++) {
		double a[16], b[16];
		size_t n_a = 0, n_b = 0;

		for (size_t i = 0; i < n + m; i++)
			*(chosen >> i & 1 ? &a[n_a++] : &b[n_b++]) = all[i];
		divisions += n_a == n;
		few += n_a == n && rank_sum_pairs(a, n, b, m) <= observed;
	}
	return (double)few / (double)divisions;
}

static void equal_values_are_exact_too(void **state)
{
	static const struct {
		size_t n, m;
		double low[6], high[6];
	} cases[] = {
		{ 2, 2, { 1, 2 }, { 2, 3 } },
		{ 5, 5, { 1, 2, 3, 5, 5 }, { 5, 6, 7, 8, 9 } },
		{ 5, 5, { 4, 4, 5, 5, 5 }, { 5, 6, 6, 6, 6 } },
		{ 5, 6, { 2, 1, 2, 1, 1 }, { 2, 1, 2, 2, 1, 2 } },
		{ 3, 4, { 7, 7, 7 }, { 7, 7, 7, 7 } },
	};

	(void)state;
	for (size_t i = 0; i < countof(cases); i++)
		assert_near(rank_sum_chance(cases[i].low, cases[i].n, cases[i].high, cases[i].m),
			    counted_chance(cases[i].low, cases[i].n, cases[i].high, cases[i].m));
	/* 4 of 252: more than 1 % of the divisions are at least as far apart. */
	assert_near(rank_sum_chance(cases[2].low, 5, cases[2].high, 5), 4 / 252.0);
	assert_false(rank_sum_stands_out(cases[2].low, 5, cases[2].high, 5));
}

static void results_beyond_chance(void **state)
{
	const double low[] = { 10, 11, 12, 13, 14 }, high[] = { 15, 16, 17, 18, 19 };
	const double mixed[] = { 9, 12.5, 13.5, 14.5, 30 };

	(void)state;
	assert_true(rank_sum_stands_out(low, 5, high, 5));
	assert_false(rank_sum_stands_out(high, 5, low, 5));
	assert_false(rank_sum_stands_out(low, 5, mixed, 5));
	assert_false(rank_sum_stands_out(low, 5, low, 5));
	/* Few values: the result stands out only if all of them are larger. */
	assert_true(rank_sum_stands_out(low, 1, high, 1));
	assert_true(rank_sum_stands_out(low, 2, high, 2));
	assert_false(rank_sum_stands_out(low, 2, mixed, 2));
	assert_false(rank_sum_stands_out(low, 1, low, 1));
}

static void equal_pairs_count_half(void **state)
{
	const double a[] = { 1, 2 }, b[] = { 2, 3 };

	(void)state;
	assert_near(rank_sum_pairs(a, 2, b, 2), 0.5);
	assert_near(rank_sum_pairs(b, 2, a, 2), 3.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_chances),
		cmocka_unit_test(equal_values_are_exact_too),
		cmocka_unit_test(results_beyond_chance),
		cmocka_unit_test(equal_pairs_count_half),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
