/* test_points.c - rows as series: counters, labels, and what a process leaves to the next one. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "push/counters.h"

static struct points points;
static struct sample row, sums;
static struct record_facts facts = {
	.id = "run-1", .host.name = "node\xff", .run = { .job_name = "nightly", .start_wall_ns = 1000 * NS_PER_SECOND },
};

static void begin(void)
{
	points_open(&points, &facts);
	sample_clear(&row);
	sample_clear(&sums);
}

static void add(double t, double cpu_seconds, double rss_bytes, const struct sample *since_start)
{
	row.monotonic_ns = (int64_t)(t * 1e9);
	row.total.process_cpu_seconds = cpu_seconds;
	row.total.process_rss_bytes = rss_bytes;
	points_add(&points, &row, since_start);
}

static const struct series *series(const char *name, const char *key)
{
	for (size_t i = 0; i < points.n_series; i++)
		if (strcmp(points.series[i].metric->name, name) == 0 && strcmp(points.series[i].key, key) == 0)
			return &points.series[i];
	return NULL;
}

static double last_value(const char *name, const char *key)
{
	double value = NONE;
	const struct series *s = series(name, key);

	for (const struct point *p = s ? points_first(&points, s) : NULL; p; p = points_next(&points, p))
		value = p->value;
	return value;
}

static void test_amounts_are_added_up_and_levels_are_not(void **state)
{
	(void)state;
	begin();
	add(1, 0.5, 100, NULL);
	add(2, 0.25, 50, NULL);
	assert_near(last_value("cpu_seconds", ""), 0.75);
	assert_near(last_value("rss_bytes", ""), 50);
	assert_int_equal(points.moments[0], 1001000);
	assert_int_equal(points.moments[1], 1002000);
	/* Lines were lost before this row: the sum since the start is right nevertheless. */
	sums.total.process_cpu_seconds = 7;
	add(3, 0.25, 50, &sums);
	assert_near(last_value("cpu_seconds", ""), 7);
	points_close(&points);
}

static void test_times_increase(void **state)
{
	(void)state;
	begin();
	add(1, 0, 1, NULL);
	add(1.0001, 0, 1, NULL);
	add(1.0002, 0, 1, NULL);
	points_clear(&points);
	add(0.5, 0, 1, NULL);
	assert_int_equal(points.last_ms, 1001003);
	points_close(&points);
}

static void test_the_next_process_goes_on_above(void **state)
{
	struct buffer text = { 0 };

	(void)state;
	begin();
	assert_non_null(sample_add_program(&row, "cc \"1\""));
	row.program[0].cpu_seconds = 3;
	add(1, 2.000004, 1, NULL);
	counters_save(&text, &points);
	points_close(&points);

	begin();
	counters_load(&points, text.at, text.len);
	assert_non_null(sample_add_program(&row, "cc \"1\""));
	row.program[0].cpu_seconds = 1;
	add(1, 2.000001, 1, NULL);
	assert_near(last_value("cpu_seconds", ""), 2.000004);
	assert_near(last_value("cpu_seconds", "cc \"1\""), 3);
	row.program[0].cpu_seconds = 5;
	add(2, 1, 1, NULL);
	assert_near(last_value("cpu_seconds", ""), 3.000001);
	assert_near(last_value("cpu_seconds", "cc \"1\""), 6);
	points_close(&points);
	/* Lines that are not such a counter are skipped. */
	begin();
	counters_load(&points, "x\n[]\n[\"total\",\"process\",\"rss_bytes\",\"\",1]\n[1,2,3,4,5]\n", 45);
	assert_int_equal(points.n_series, 0);
	points_close(&points);
	buffer_release(&text);
}

static void test_labels_are_sorted_valid_and_known(void **state)
{
	struct label_pair labels[LABELS_MAX];

	(void)state;
	begin();
	assert_non_null(sample_add_program(&row, "a\xff"));
	row.program[0].rss_bytes = 1;
	add(1, NONE, NONE, NULL);

	const struct series *s = series("rss_bytes", "a\xef\xbf\xbd");

	assert_non_null(s);
	assert_int_equal(points_labels(labels, &points, s), 4);
	assert_string_equal(labels[0].name, "host");
	assert_string_equal(labels[0].value, "node\xef\xbf\xbd");
	assert_string_equal(labels[1].name, "job");
	assert_string_equal(labels[1].value, "nightly");
	assert_string_equal(labels[2].name, "program");
	assert_string_equal(labels[3].name, "run");
	points_close(&points);
}

static void test_roots_are_left_out_and_series_are_bounded(void **state)
{
	char key[16];

	(void)state;
	begin();
	assert_non_null(sample_add_root(&row, "4711"));
	row.root[0].rss_bytes = 1;
	add(1, NONE, NONE, NULL);
	assert_int_equal(points.n_series, 0);
	for (int i = 0; i < 2 * PUSH_SERIES_MAX; i++) {
		row.n_root = row.n_program = 0;
		(void)snprintf(key, sizeof key, "p%d", i);
		assert_non_null(sample_add_program(&row, key));
		row.program[0].rss_bytes = row.program[0].cpu_seconds = 1;
		add(i + 2, NONE, NONE, NULL);
	}
	assert_true(points.n_series <= PUSH_SERIES_MAX);
	assert_true(points.left_out > 0);
	points_close(&points);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_amounts_are_added_up_and_levels_are_not), cmocka_unit_test(test_times_increase),
		cmocka_unit_test(test_the_next_process_goes_on_above),
		cmocka_unit_test(test_labels_are_sorted_valid_and_known),
		cmocka_unit_test(test_roots_are_left_out_and_series_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
