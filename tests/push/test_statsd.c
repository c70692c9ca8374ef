/* test_statsd.c - lines of StatsD, and the sum of the differences. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "core/run.h"
#include "push/form_statsd.h"

static struct buffer out;
static struct points points;

static const struct metric *metric_named(const char *group, const char *name)
{
	for (size_t k = 0; k < tables[TABLE_TOTAL].n_metrics; k++) {
		const struct metric *m = &tables[TABLE_TOTAL].metrics[k];

		if (strcmp(m->group, group) == 0 && strcmp(m->name, name) == 0)
			return m;
	}
	fail_msg("there is no metric %s.%s", group, name);
	return NULL;
}

static void expect(const char *text)
{
	buffer_char(&out, '\0');
	assert_false(out.failed);
	assert_string_equal(out.at, text);
	buffer_clear(&out);
}

static int begin(void **state)
{
	(void)state;
	points = (struct points){ .n = 0 };
	(void)snprintf(points.labels.run, sizeof points.labels.run, "r");
	(void)snprintf(points.labels.job, sizeof points.labels.job, "a,b|c#d\ne:f");
	return 0;
}

static void test_gauges(void **state)
{
	struct series s = { .metric = metric_named("process", "rss_bytes"), .table = TABLE_TOTAL, .key = "", .newest = 4096 };

	(void)state;
	statsd_gauge(&out, &points, &s);
	expect("resource_tracker.process.rss_bytes:4096|g|#job:a_b_c_d_e:f,run:r\n");
	s.newest = -1;
	statsd_gauge(&out, &points, &s);
	expect("resource_tracker.process.rss_bytes:0|g|#job:a_b_c_d_e:f,run:r\n"
	       "resource_tracker.process.rss_bytes:-1|g|#job:a_b_c_d_e:f,run:r\n");
}

static void test_a_counter_is_rounded_at_its_sum(void **state)
{
	struct series s = { .metric = metric_named("process", "cpu_seconds"), .table = TABLE_TOTAL, .key = "" };
	int64_t sent = 0, sum = 0;

	(void)state;
	for (int i = 1; i <= 1000; i++) {
		s.least = i * 0.4e-9;           /* each difference alone would be rounded to nothing */
		sum += statsd_units(&s) - sent;
		sent = statsd_units(&s);
	}
	assert_int_equal(sum, 400);
	statsd_count(&out, &points, &s, 1);
	expect("resource_tracker.process.cpu_seconds:0.000000001|c|#job:a_b_c_d_e:f,run:r\n");
	s.least = 1e300;
	assert_true(statsd_units(&s) == INT64_MAX);
}

static void test_bytes_are_whole(void **state)
{
	struct series s = { .metric = metric_named("disk_total", "read_bytes"), .table = TABLE_TOTAL, .key = "", .least = 1e15 };

	(void)state;
	assert_true(statsd_units(&s) == 1000000000000000);
	statsd_count(&out, &points, &s, 999999999999999);
	expect("resource_tracker.disk_total.read_bytes:999999999999999|c|#job:a_b_c_d_e:f,run:r\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_gauges, begin),
		cmocka_unit_test_setup(test_a_counter_is_rounded_at_its_sum, begin),
		cmocka_unit_test_setup(test_bytes_are_whole, begin),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	buffer_release(&out);
	return failed;
}
