/* test_aggregate.c - many samples as one. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "core/aggregate.h"

static struct sample s;                         /* static: large */

static const struct metric *metric(enum table t, const char *group, const char *name)
{
	for (size_t i = 0; i < tables[t].n_metrics; i++)
		if (strcmp(tables[t].metrics[i].group, group) == 0 && strcmp(tables[t].metrics[i].name, name) == 0)
			return &tables[t].metrics[i];
	fail_msg("no metric %s.%s", group, name);
	return NULL;
}

static void next(double seconds)
{
	sample_clear(&s);
	s.interval_seconds = seconds;
}

static void means_are_weighted_by_time(void **state)
{
	struct aggregate *a = aggregate_open();
	const struct metric *rss = metric(TABLE_TOTAL, "process", "rss_bytes");
	const struct metric *cpu = metric(TABLE_TOTAL, "process", "cpu_seconds");
	const struct metric *pss = metric(TABLE_TOTAL, "process", "pss_bytes");

	(void)state;
	assert_non_null(a);
	next(NONE);
	s.total.process_rss_bytes = 900;                /* weightless, but the maximum */
	aggregate_add(a, &s);
	assert_int_equal(aggregate_samples(a), 0);
	assert_near(aggregate_total(a, rss).mean, 900);

	next(1);
	s.total.process_rss_bytes = 100;
	s.total.process_cpu_seconds = 0.5;
	aggregate_add(a, &s);
	next(3);
	s.total.process_rss_bytes = 200;
	s.total.process_cpu_seconds = 6;
	aggregate_add(a, &s);
	next(4);
	s.total.process_cpu_seconds = 0;                /* rss unknown: it gets no weight */
	aggregate_add(a, &s);

	struct statistic r = aggregate_total(a, rss), c = aggregate_total(a, cpu), p = aggregate_total(a, pss);

	assert_int_equal(aggregate_samples(a), 3);
	assert_near(aggregate_seconds(a), 8);
	assert_near(r.mean, 175);
	assert_near(r.maximum, 900);
	assert_near(r.minimum, 100);
	assert_near(r.last, 200);
	assert_near(r.seconds, 4);
	assert_near(r.sum, 700);
	assert_near(c.sum, 6.5);
	assert_near(c.mean, 6.5 / 8);
	assert_near(c.maximum, 2);                      /* per second */
	assert_near(c.minimum, 0);
	assert_none(p.mean);
	assert_none(p.maximum);
	assert_none(p.sum);
	assert_near(p.seconds, 0);
	aggregate_close(a);
}

static void a_short_last_sample_sets_no_peak(void **state)
{
	struct aggregate *a = aggregate_open();
	const struct metric *cores = metric(TABLE_TOTAL, "process", "cpu_cores");
	const struct metric *cpu = metric(TABLE_TOTAL, "process", "cpu_seconds");
	const struct metric *rss = metric(TABLE_TOTAL, "process", "rss_bytes");

	(void)state;
	next(1);
	s.total.process_cpu_cores = s.total.process_cpu_seconds = 1;
	s.total.process_rss_bytes = 5;
	aggregate_add(a, &s);
	next(0.001);
	s.total.process_cpu_seconds = 0.01;
	s.total.process_cpu_cores = 10;
	s.total.process_rss_bytes = 50;
	aggregate_add(a, &s);
	assert_near(aggregate_total(a, cores).maximum, 1);
	assert_near(aggregate_total(a, cpu).maximum, 1);
	assert_near(aggregate_total(a, cpu).sum, 1.01);
	assert_near(aggregate_total(a, rss).maximum, 50);
	aggregate_close(a);

	/* If such intervals were asked for, they count. */
	a = aggregate_open();
	for (int i = 1; i <= 2; i++) {
		next(0.001);
		s.total.process_cpu_cores = i;
		aggregate_add(a, &s);
	}
	assert_near(aggregate_total(a, cores).maximum, 2);
	aggregate_close(a);
}

static void rows_are_matched_by_key(void **state)
{
	struct aggregate *a = aggregate_open();
	const struct metric *read = metric(TABLE_DISK, "disk", "read_bytes");

	(void)state;
	next(1);
	sample_add_disk(&s, "vda")->read_bytes = 10;
	sample_add_disk(&s, "vdb")->read_bytes = 100;
	aggregate_add(a, &s);
	next(1);
	sample_add_disk(&s, "vdb")->read_bytes = 100;   /* vda is gone, vdc is new */
	sample_add_disk(&s, "vdc")->read_bytes = 7;
	aggregate_add(a, &s);
	assert_int_equal(aggregate_rows(a, TABLE_DISK), 3);
	assert_string_equal(aggregate_key(a, TABLE_DISK, 1), "vdb");
	assert_near(aggregate_row(a, TABLE_DISK, 0, read).sum, 10);
	assert_near(aggregate_row(a, TABLE_DISK, 0, read).seconds, 1);
	assert_near(aggregate_row(a, TABLE_DISK, 1, read).sum, 200);
	assert_near(aggregate_row(a, TABLE_DISK, 2, read).sum, 7);
	assert_none(aggregate_row(a, TABLE_DISK, 3, read).sum);

	aggregate_clear(a);
	assert_int_equal(aggregate_rows(a, TABLE_DISK), 0);
	assert_near(aggregate_seconds(a), 0);
	aggregate_close(a);
}

static void new_keys_do_not_grow_it_without_bound(void **state)
{
	struct aggregate *a = aggregate_open();
	const struct metric *cpu = metric(TABLE_PROGRAM, "program", "cpu_seconds");

	(void)state;
	for (int i = 0; i < 2000; i++) {
		char name[32];

		next(1);
		(void)snprintf(name, sizeof name, "worker-%d", i);
		sample_add_program(&s, name)->cpu_seconds = i;
		aggregate_add(a, &s);
	}
	assert_int_equal(aggregate_rows(a, TABLE_PROGRAM), AGGREGATE_ROWS_MAX);
	assert_near(aggregate_row(a, TABLE_PROGRAM, 5, cpu).sum, 5);
	aggregate_close(a);
}

static void results_can_be_put_back(void **state)
{
	struct aggregate *a = aggregate_open();
	const struct metric *cpu = metric(TABLE_TOTAL, "process", "cpu_seconds");
	const struct metric *rss = metric(TABLE_PROGRAM, "program", "rss_bytes");

	(void)state;
	aggregate_restore(a, TABLE_TOTAL, "", cpu,
			  &(struct statistic){ .mean = 0.5, .maximum = 2, .minimum = NONE, .sum = 5,
					       .last = NONE, .seconds = 10 });
	aggregate_restore(a, TABLE_PROGRAM, "python", rss,
			  &(struct statistic){ .mean = 100, .maximum = 300, .minimum = NONE, .sum = NONE,
					       .last = NONE, .seconds = 10 });
	aggregate_restore_extent(a, 9, 10);
	assert_near(aggregate_total(a, cpu).sum, 5);
	assert_near(aggregate_total(a, cpu).mean, 0.5);
	assert_near(aggregate_total(a, cpu).maximum, 2);
	assert_near(aggregate_row(a, TABLE_PROGRAM, 0, rss).mean, 100);
	assert_near(aggregate_row(a, TABLE_PROGRAM, 0, rss).maximum, 300);
	assert_int_equal(aggregate_samples(a), 9);
	assert_near(aggregate_seconds(a), 10);
	aggregate_close(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_are_weighted_by_time),
		cmocka_unit_test(a_short_last_sample_sets_no_peak),
		cmocka_unit_test(rows_are_matched_by_key),
		cmocka_unit_test(new_keys_do_not_grow_it_without_bound),
		cmocka_unit_test(results_can_be_put_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
