/* test_distribution.c - percentiles weighted by time. */
#include "fixture.h"

#include <math.h>

#include "history/distribution.h"

static void nothing_has_no_percentiles(void **state)
{
	struct distribution d = { 0 };

	(void)state;
	assert_true(isnan(distribution_at(&d, 0.5)));
	distribution_add(&d, (double)NAN, 1);
	distribution_add(&d, (double)INFINITY, 1);
	distribution_add(&d, 5, 0);
	distribution_add(&d, 5, (double)NAN);
	assert_true(isnan(distribution_at(&d, 0.5)));
	distribution_release(&d);
}

static void equal_values_are_exact(void **state)
{
	struct distribution d = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		distribution_add(&d, 123456789.25, 0.1);
	assert_near(distribution_at(&d, 0.01), 123456789.25);
	assert_near(distribution_at(&d, 0.99), 123456789.25);
	distribution_release(&d);
}

static void time_is_the_weight(void **state)
{
	struct distribution d = { 0 };

	(void)state;
	for (int i = 0; i < 100; i++)                   /* ten seconds of 1, one minute of 8 */
		distribution_add(&d, 1, 0.1);
	distribution_add(&d, 8, 60);
	assert_near(distribution_at(&d, 0.10), 1);
	assert_near(distribution_at(&d, 0.14), 1);
	assert_near(distribution_at(&d, 0.15), 8);
	assert_near(distribution_at(&d, 1), 8);
	distribution_release(&d);
}

static void zero_is_a_value(void **state)
{
	struct distribution d = { 0 };

	(void)state;
	for (int i = 0; i < 99; i++)
		distribution_add(&d, 0, 1);
	distribution_add(&d, 1e300, 1);
	assert_near(distribution_at(&d, 0.5), 0);
	assert_near(distribution_at(&d, 0.99), 0);
	assert_near(distribution_at(&d, 1) / 1e300, 1);
	distribution_release(&d);
}

/* A long run over fifteen powers of ten: within 0.4 % of the true percentile everywhere. */
static void many_values_are_right_within_their_class(void **state)
{
	enum { N = 100000 };
	struct distribution d = { 0 };

	(void)state;
	for (int i = 0; i < N; i++)
		distribution_add(&d, exp(35.0 * ((i * 7919) % N) / N), 1);
	for (double share = 0.001; share < 1; share += 0.0137) {
		double truth = exp(35.0 * floor(share * N) / N);

		assert_true(fabs(distribution_at(&d, share) / truth - 1) < 0.005);
	}
	distribution_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_has_no_percentiles),
		cmocka_unit_test(equal_values_are_exact),
		cmocka_unit_test(time_is_the_weight),
		cmocka_unit_test(zero_is_a_value),
		cmocka_unit_test(many_values_are_right_within_their_class),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
