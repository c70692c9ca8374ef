/* test_line_queue.c - a ring of lines: order, the turn at its end, what does not fit. */
#include "fixture.h"

#include <string.h>

#include "record/line_queue.h"

static int opened(void **state)
{
	static struct line_queue q;

	*state = &q;
	return line_queue_open(&q);
}

static int closed(void **state)
{
	line_queue_close(*state);
	return 0;
}

/* A line whose length and bytes follow from its number. */
static size_t line_of(size_t number, char *ret)
{
	size_t n = number * 7919 % 5000;

	memset(ret, 'a' + (int)(number % 26), n);
	return n;
}

/* Takes the oldest line, which has these bytes. */
static void take(struct line_queue *q, const char *expected, size_t expected_n, bool expected_needed)
{
	size_t n;
	bool needed;
	const char *front = line_queue_front(q, &n, &needed);

	assert_int_equal(n, expected_n);
	assert_memory_equal(front, expected, n);
	assert_int_equal(needed, expected_needed);
	line_queue_pop(q, n);
}

static void lines_come_back_whole_and_in_order(void **state)
{
	struct line_queue *q = *state;
	char line[5000];
	size_t added = 0, taken = 0, full = 0;

	while (taken < 5000) {
		while (line_queue_add(q, line, line_of(added, line), added % 3 == 0))
			added++;
		full++;
		for (size_t some = 1 + full % 17; some > 0; some--, taken++)
			take(q, line, line_of(taken, line), taken % 3 == 0);
		assert_int_equal(q->lines, added - taken);
	}
	assert_true(full > 100);                /* the ring was full, at many places */
}

static void one_of_the_longest_fits_wherever_the_ring_stands(void **state)
{
	struct line_queue *q = *state;
	static char longest[LINE_QUEUE_LONGEST];
	char line[5000];

	memset(longest, 'x', sizeof longest);
	for (size_t before = 0; before < 64; before++) {
		size_t n = line_of(before, line);

		assert_true(line_queue_add(q, line, n, false));
		assert_true(line_queue_add(q, longest, sizeof longest, true));
		take(q, line, n, false);
		assert_true(line_queue_add(q, line, n, false));
		take(q, longest, sizeof longest, true);
		take(q, line, n, false);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines_come_back_whole_and_in_order, opened, closed),
		cmocka_unit_test_setup_teardown(one_of_the_longest_fits_wherever_the_ring_stands, opened, closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
