/* test_moment.c - an instant as users write it. */
#include "fixture.h"

#include <time.h>

#include "text/moment.h"

static int64_t seconds_of(const char *text)
{
	int64_t ns = -NS_PER_SECOND;

	(void)moment_read(text, &ns);
	return ns / NS_PER_SECOND;
}

static void dates_are_local_or_utc(void **state)
{
	(void)state;
	(void)setenv("TZ", "EST5", 1);
	tzset();
	assert_int_equal(seconds_of("2026-11-21T00:00Z"), 1795219200);
	assert_int_equal(seconds_of("2026-11-21"), 1795219200 + 5 * 3600);
	assert_int_equal(seconds_of("2026-11-21 17:30:05Z"), 1795219200 + 17 * 3600 + 30 * 60 + 5);
	assert_int_equal(seconds_of("1970-01-01T00:00:00Z"), 0);
	assert_int_equal(seconds_of("9999-12-31"), INT64_MAX / NS_PER_SECOND);
}

static void a_time_ago(void **state)
{
	int64_t now = (int64_t)time(NULL);

	(void)state;
	assert_in_range(now - seconds_of("90m"), 90 * 60 - 2, 90 * 60 + 2);
	assert_in_range(now - seconds_of("7d"), 7 * 86400 - 2, 7 * 86400 + 2);
}

static void malformed_instants_are_refused(void **state)
{
	static const char *const words[] = {
		"", "soon", "2026", "2026-13-01", "2026-01-32", "2026-1-1", "2026-11-21T", "2026-11-21T25:00",
		"2026-11-21T10:00x", "21-11-2026", "-5m", "5 minutes",
	};

	(void)state;
	for (size_t i = 0; i < countof(words); i++) {
		int64_t ns = 42;

		assert_false(moment_read(words[i], &ns));
		assert_int_equal(ns, 42);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates_are_local_or_utc),
		cmocka_unit_test(a_time_ago),
		cmocka_unit_test(malformed_instants_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
