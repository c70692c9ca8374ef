/* test_series_store.c - series stored moment by moment and read back whole. */
#include "fixture.h"

#include "export/series_store.h"

enum { MOMENTS = 3 * SERIES_BLOCK + 7 };

/* Reads the numbers of one series in order; returns how many. */
static size_t read_series(const struct series_store *s, size_t series, double *ret)
{
	size_t all = 0;

	for (size_t block = 0; block < series_store_blocks(s); block++) {
		size_t n;

		assert_int_equal(series_store_block(s, block, series, ret + all, &n), 0);
		assert_in_range(n, 1, SERIES_BLOCK);
		all += n;
	}
	return all;
}

static void series_are_read_back_whole(void **state)
{
	static double values[MOMENTS + SERIES_BLOCK];
	struct series_store *s;

	(void)state;
	assert_int_equal(series_store_open(&s), 0);
	for (size_t i = 0; i < MOMENTS; i++) {
		assert_int_equal(series_store_moment(s), 0);
		assert_int_equal(series_store_set(s, 0, (double)i), 0);
		if (i % 2 == 1)                 /* not known in every moment */
			assert_int_equal(series_store_set(s, 1, -(double)i), 0);
		if (i >= 300)                   /* a late one; others can follow */
			assert_int_equal(series_store_set(s, 200, 0.5), 0);
	}
	assert_int_equal(series_store_flush(s), 0);
	assert_int_equal(series_store_flush(s), 0);

	assert_int_equal(read_series(s, 0, values), MOMENTS);
	for (size_t i = 0; i < MOMENTS; i++)
		assert_near(values[i], (double)i);
	assert_int_equal(read_series(s, 1, values), MOMENTS);
	for (size_t i = 0; i < MOMENTS; i++)
		assert_true(i % 2 == 1 ? fabs(values[i] + (double)i) <= 0 : is_none(values[i]));
	assert_int_equal(read_series(s, 200, values), MOMENTS);
	for (size_t i = 0; i < MOMENTS; i++)
		assert_true(i < 300 ? is_none(values[i]) : fabs(values[i] - 0.5) <= 0);
	assert_int_equal(read_series(s, 150, values), MOMENTS);         /* never set */
	for (size_t i = 0; i < MOMENTS; i++)
		assert_none(values[i]);
	series_store_close(s);
}

static void an_empty_store_has_no_blocks(void **state)
{
	struct series_store *s;

	(void)state;
	assert_int_equal(series_store_open(&s), 0);
	assert_int_equal(series_store_flush(s), 0);
	assert_int_equal(series_store_blocks(s), 0);
	series_store_close(s);
	series_store_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(series_are_read_back_whole),
		cmocka_unit_test(an_empty_store_has_no_blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
