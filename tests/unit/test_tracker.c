/* test_tracker.c - the recorder's own cost. */
#include "fixture.h"

#include <time.h>

static void burn(double seconds)
{
	struct timespec t;
	double until = -1, now;

	do {
		(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		now = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
		if (until < 0)
			until = now + seconds;
	} while (now < until);
}

static void the_recorders_own_use(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	fixture_open(&f, "bare-metal");
	source_close(&f.source);
	assert_int_equal(source_open(&f.source, "/", NULL), 0);
	fixture_begin(&f, &collector_tracker);
	assert_none(t->tracker_cpu_seconds);
	assert_true(t->tracker_rss_bytes > 100e3 && t->tracker_rss_bytes < 1e9);
	burn(0.05);
	assert_int_equal(fixture_read(&f), 0);
	assert_true(t->tracker_cpu_seconds >= 0.05);
	assert_true(t->tracker_rss_bytes > 100e3);      /* kept between readings */
	fixture_close(&f);
}

static void no_own_use_on_a_captured_machine(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "bare-metal");
	assert_int_equal(fixture_start(&f, &collector_tracker), -ENODATA);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_recorders_own_use),
		cmocka_unit_test(no_own_use_on_a_captured_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
