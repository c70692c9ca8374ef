/* test_rank_sum.c - the probability of a difference by chance. */
#include "fixture.h"

#include "comparison/rank_sum.h"

static void exact_chances(void **state)
{
	(void)state;
	assert_near(rank_sum_chance(0, 1, 1), 0.5);
	assert_near(rank_sum_chance(0, 3, 3), 0.05);
	assert_near(rank_sum_chance(0, 5, 5), 1 / 252.0);       /* tables of Mann and Whitney */
	assert_near(rank_sum_chance(1, 5, 5), 2 / 252.0);
	assert_near(rank_sum_chance(2, 5, 5), 4 / 252.0);
	assert_near(rank_sum_chance(4, 5, 5), 12 / 252.0);
	assert_near(rank_sum_chance(6, 4, 3), (1 + 1 + 2 + 3 + 4 + 4 + 5) / 35.0);
	assert_near(rank_sum_chance(25, 5, 5), 1);
	assert_near(rank_sum_chance(7 * 13, 7, 13), 1);
	assert_true(rank_sum_chance(0, 64, 64) < 1e-30);
	assert_near(rank_sum_chance(0, 65, 1), 1);
	assert_near(rank_sum_chance(0, 0, 1), 1);
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
		cmocka_unit_test(results_beyond_chance),
		cmocka_unit_test(equal_pairs_count_half),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
