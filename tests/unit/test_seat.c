/* test_seat.c - as many seats as there are, each for one. */
#include "fixture.h"

#include <stdio.h>

#include "kernel/seat.h"

enum { SEATS = 3 };

static void each_is_held_by_one(void **state)
{
	char what[64];
	int held[SEATS];

	(void)state;
	(void)snprintf(what, sizeof what, "resource-tracker-test-%d", (int)getpid());
	for (int i = 0; i < SEATS; i++)
		assert_true((held[i] = seat_take(what, SEATS)) >= 0);
	assert_int_equal(seat_take(what, SEATS), -EUSERS);
	close_p(&held[1]);
	assert_true((held[1] = seat_take(what, SEATS)) >= 0);
	assert_int_equal(seat_take(what, SEATS), -EUSERS);
	for (int i = 0; i < SEATS; i++)
		close_p(&held[i]);
}

static void where_there_are_none(void **state)
{
	(void)state;
	assert_int_equal(seat_take("resource-tracker-test", 0), -EUSERS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_held_by_one),
		cmocka_unit_test(where_there_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
