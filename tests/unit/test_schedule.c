/* test_schedule.c - deadlines, and an end between two of them. */
#include "fixture.h"

#include <poll.h>
#include <time.h>

#include "recorder/schedule.h"

enum { MINUTE_MS = 60000 };

static int64_t now_ns(void)
{
	struct timespec t;

	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &t), 0);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

static struct due wait_for(struct schedule *s)
{
	struct pollfd timer = { .fd = s->timer, .events = POLLIN };
	struct due due;

	assert_int_equal(poll(&timer, 1, MINUTE_MS), 1);
	assert_true(schedule_due(s, &due));
	return due;
}

/* The schedule began a long time ago: all is due at once. */
static void test_the_end_is_due_at_its_own_time(void **state)
{
	static const struct { double interval, duration; uint64_t deadlines; } cases[] = {
		{ 5, 1, 1 }, { 5, 5, 1 }, { 5, 7, 2 }, { 1, 3.5, 4 }, { 0.1, 0.3, 3 }, { 0.7, 2.1, 3 },
		{ 0.1, 0.30001, 3 }, { 3600, 0.001, 1 }, { 0.001, 10, 10000 },
	};

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct schedule s = SCHEDULE_CLOSED;
		int64_t begin = now_ns() - 100 * NS_PER_SECOND;

		assert_int_equal(schedule_open(&s), 0);
		schedule_start(&s, begin, cases[i].interval, cases[i].duration);
		assert_false(schedule_over(&s));

		struct due due = wait_for(&s);
		uint64_t n = due.missed + 1;

		if (!schedule_over(&s)) {
			due = wait_for(&s);
			n += due.missed + 1;
		}
		assert_true(schedule_over(&s));
		assert_int_equal(n, cases[i].deadlines);
		assert_int_equal(due.due_ns, begin + (int64_t)(cases[i].duration * 1e9));
		schedule_close(&s);
	}
}

static void test_deadlines_missed_while_stopped_are_dropped_except_the_end(void **state)
{
	struct schedule s = SCHEDULE_CLOSED;
	int64_t begin = now_ns() - 100 * NS_PER_SECOND;

	(void)state;
	assert_int_equal(schedule_open(&s), 0);
	schedule_start(&s, begin, 3, 10);
	assert_int_equal(schedule_next_ns(&s), begin + 3 * NS_PER_SECOND);
	for (int i = 0; i < 3; i++)
		schedule_forget(&s);
	assert_int_equal(schedule_next_ns(&s), begin + 10 * NS_PER_SECOND);
	assert_false(schedule_over(&s));
	assert_int_equal(wait_for(&s).missed, 0);
	assert_true(schedule_over(&s));
	schedule_close(&s);
}

static void test_without_an_end(void **state)
{
	struct schedule s = SCHEDULE_CLOSED;
	int64_t begin = now_ns() - 100 * NS_PER_SECOND;

	(void)state;
	assert_int_equal(schedule_open(&s), 0);
	schedule_start(&s, begin, 10, 0);

	struct due due = wait_for(&s);

	assert_true(due.missed >= 9);
	assert_int_equal((due.due_ns - begin) % (10 * NS_PER_SECOND), 0);
	assert_int_equal(schedule_next_ns(&s), due.due_ns + 10 * NS_PER_SECOND);
	assert_false(schedule_over(&s));
	schedule_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_end_is_due_at_its_own_time),
		cmocka_unit_test(test_deadlines_missed_while_stopped_are_dropped_except_the_end),
		cmocka_unit_test(test_without_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
