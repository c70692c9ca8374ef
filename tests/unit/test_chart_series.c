/* test_chart_series.c - a run of any length in a bounded number of points, with no extreme lost. */
#include "fixture.h"

#include "report/chart_series.h"

static void few_rows_stay_as_they_are(void **state)
{
	struct chart_series *c = chart_series_open(100);
	int line = chart_series_line(c, true);

	(void)state;
	for (int i = 0; i < 100; i++) {
		chart_series_begin(c, i + 1 + (i % 3 - 1) * 1e-3, 1);         /* rows come a little early or late */
		chart_series_add(c, line, i, NONE);
	}
	assert_int_equal(chart_series_points(c), 100);
	assert_false(chart_series_spread(c, line));
	for (size_t i = 0; i < 100; i++)
		assert_near(chart_series_value(c, line, i).mean, (double)i);
	assert_near(chart_series_end(c, 1), 2);
	chart_series_close(c);
}

static void a_spike_of_one_row_is_a_maximum(void **state)
{
	struct chart_series *c = chart_series_open(100);
	int line = chart_series_line(c, true);
	double most = 0, least = 100, sum = 0, last = 0;

	(void)state;
	for (int i = 0; i < 86400; i++) {
		chart_series_begin(c, i + 1, 1);
		chart_series_add(c, line, i == 50001 ? 1000 : i == 3 ? -5 : 1, NONE);
	}
	assert_in_range(chart_series_points(c), 50, 100);
	assert_true(chart_series_spread(c, line));
	for (size_t i = 0; i < chart_series_points(c); i++) {
		struct chart_series_value v = chart_series_value(c, line, i);

		assert_true(chart_series_end(c, i) > last);
		sum += v.mean * (chart_series_end(c, i) - last);
		last = chart_series_end(c, i);
		most = v.most > most ? v.most : most;
		least = v.least < least ? v.least : least;
		assert_true(v.most <= 1 || (last - 2000 < 50002 && last >= 50002));
	}
	assert_near(most, 1000);
	assert_near(least, -5);
	assert_near(last, 86400);
	assert_near(sum, 86400 + 999 - 6);
	assert_near(chart_series_peak(c, line).value, 1000);
	assert_near(chart_series_peak(c, line).end_seconds, 50002);
	chart_series_close(c);
}

static void means_are_weighted_by_time(void **state)
{
	struct chart_series *c = chart_series_open(2);
	int line = chart_series_line(c, true);

	(void)state;
	chart_series_begin(c, 1, 1);
	chart_series_add(c, line, 10, NONE);
	chart_series_begin(c, 4, 3);
	chart_series_add(c, line, 2, 6);                      /* three samples; the highest is 6 */
	chart_series_begin(c, 100, 1);
	chart_series_add(c, line, 7, NONE);
	assert_int_equal(chart_series_points(c), 2);
	assert_near(chart_series_value(c, line, 0).mean, 4);
	assert_near(chart_series_value(c, line, 0).least, 2);
	assert_near(chart_series_value(c, line, 0).most, 10);
	assert_near(chart_series_value(c, line, 1).mean, 7);
	chart_series_close(c);
}

static void a_missing_value_stays_missing(void **state)
{
	struct chart_series *c = chart_series_open(4);
	int first = chart_series_line(c, true), late;

	(void)state;
	chart_series_begin(c, 1, 1);
	chart_series_add(c, first, NONE, NONE);
	chart_series_begin(c, 2, 1);
	chart_series_add(c, first, 0, NONE);
	late = chart_series_line(c, true);
	chart_series_begin(c, 3, 1);
	chart_series_add(c, late, 5, NONE);
	chart_series_add(c, NO_LINE, 5, NONE);
	chart_series_add(c, late, (double)INFINITY, NONE);
	assert_int_equal(chart_series_points(c), 3);
	assert_true(is_none(chart_series_value(c, first, 0).mean));
	assert_near(chart_series_value(c, first, 1).mean, 0);
	assert_true(is_none(chart_series_value(c, first, 2).most));
	assert_true(is_none(chart_series_value(c, late, 0).mean) && is_none(chart_series_value(c, late, 1).least));
	assert_near(chart_series_value(c, late, 2).mean, 5);
	assert_true(is_none(chart_series_value(c, NO_LINE, 0).mean) && is_none(chart_series_peak(c, NO_LINE).value));
	chart_series_close(c);
}

/* Amounts that are read only at times come in lumps. */
static void lumps_are_spread(void **state)
{
	struct chart_series *c = chart_series_open(20);
	int line = chart_series_line(c, true);

	(void)state;
	for (int i = 0; i < 10; i++) {
		chart_series_begin(c, i + 1, 1);
		chart_series_add(c, line, i == 2 ? NONE : i == 4 ? 5 : 0, NONE);
	}
	assert_near(chart_series_mean_over(c, line, 4, 5), 5.0 / 4);
	assert_near(chart_series_mean_over(c, line, 8, 5), 1);
	assert_near(chart_series_mean_over(c, line, 9, 5), 0);
	assert_near(chart_series_mean_over(c, line, 4, 0.5), 5);
	assert_true(is_none(chart_series_mean_over(c, line, 2, 5)) &&
		    is_none(chart_series_mean_over(c, NO_LINE, 4, 5)));
	chart_series_close(c);
}

/* The last row of a run can follow the one before by a millisecond: a tick of 10 ms in it looks like ten cores. */
static void a_very_short_row_sets_no_extreme(void **state)
{
	struct chart_series *c = chart_series_open(10);
	int line = chart_series_line(c, true);

	(void)state;
	chart_series_begin(c, 1, 1);
	chart_series_add(c, line, 1, NONE);
	chart_series_begin(c, 1.001, 0.001);
	chart_series_add(c, line, 10, NONE);
	assert_int_equal(chart_series_points(c), 1);
	assert_near(chart_series_end(c, 0), 1.001);
	assert_near(chart_series_value(c, line, 0).most, 1);
	assert_near(chart_series_value(c, line, 0).mean, (1 + 0.01) / 1.001);
	chart_series_close(c);
	c = chart_series_open(10);                            /* a level is as true in a short row */
	line = chart_series_line(c, false);
	chart_series_begin(c, 1, 1);
	chart_series_add(c, line, 1, NONE);
	chart_series_begin(c, 1.001, 0.001);
	chart_series_add(c, line, 10, NONE);
	assert_near(chart_series_peak(c, line).value, 10);
	chart_series_close(c);
	c = chart_series_open(10);                            /* if all rows are so short, they count */
	line = chart_series_line(c, true);
	for (int i = 0; i < 5; i++) {
		chart_series_begin(c, 0.01 * (i + 1), i == 3 ? 0.0099 : 0.01);
		chart_series_add(c, line, i, NONE);
	}
	assert_int_equal(chart_series_points(c), 5);
	assert_near(chart_series_peak(c, line).value, 4);
	chart_series_close(c);
}

static void odd_times_do_no_harm(void **state)
{
	static const double ends[] = { 5, 3, -1e9, 8e9, 8e9, 1e300, 2e300, 6, NONE, 1e-300 };
	struct chart_series *c = chart_series_open(3);
	int line = chart_series_line(c, true);
	double last = -1e10;

	(void)state;
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < countof(ends); i++) {
			chart_series_begin(c, ends[i], round == 1 ? NONE : ends[i]);
			chart_series_add(c, line, 1, NONE);
		}
	assert_in_range(chart_series_points(c), 1, 3);
	for (size_t i = 0; i < chart_series_points(c); i++) {
		assert_true(chart_series_end(c, i) > last);
		last = chart_series_end(c, i);
		assert_near(chart_series_value(c, line, i).mean, 1);
	}
	chart_series_close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_rows_stay_as_they_are),
		cmocka_unit_test(a_spike_of_one_row_is_a_maximum),
		cmocka_unit_test(means_are_weighted_by_time),
		cmocka_unit_test(a_missing_value_stays_missing),
		cmocka_unit_test(lumps_are_spread),
		cmocka_unit_test(a_very_short_row_sets_no_extreme),
		cmocka_unit_test(odd_times_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
