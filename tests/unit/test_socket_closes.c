/* test_socket_closes.c - reports of closed connections against the kernel's counts: late ones, and failed attempts. */
#include "fixture.h"

#include <arpa/inet.h>

#include "sockets/socket_closes.h"

enum { SECOND = 1000000000 };

static const struct tcp_counts start = { .opens = 1000, .fails = 50, .open = 7 };

static struct tcp_counts later(unsigned opens, unsigned fails, int open)
{
	return (struct tcp_counts){ start.opens + opens, start.fails + fails, start.open + (uint64_t)(int64_t)open };
}

static void report(struct socket_closes *c, unsigned n, uint16_t port, uint64_t sent, int64_t now_ns)
{
	struct diag_message m = { .kind = DIAG_SOCKET, .id.idiag_dport = htons(port), .has_bytes = true, .sent = sent };

	while (n-- > 0)
		socket_closes_add(c, &m, now_ns);
}

static int missing(const struct socket_closes *c, struct tcp_counts now)
{
	return (int)socket_closes_missing(c, &now);
}

static void settle(struct socket_closes *c, struct tcp_counts now, int64_t now_ns)
{
	socket_closes_settle(c, &now, now_ns);
}

static void each_closed_connection_has_a_report(void **state)
{
	struct socket_closes c;

	(void)state;
	socket_closes_begin(&c, &start, SECOND);
	assert_int_equal(missing(&c, start), 0);
	assert_int_equal(missing(&c, later(4, 0, 4)), 0);       /* opened */
	assert_int_equal(missing(&c, later(4, 0, 1)), 3);       /* three of them closed */
	assert_int_equal(missing(&c, later(0, 0, -2)), 2);      /* two that were open before */
	report(&c, 2, 443, 100, SECOND);
	assert_int_equal(missing(&c, later(4, 0, 1)), 1);
	report(&c, 1, 443, 0, SECOND);
	assert_int_equal(missing(&c, later(4, 0, 1)), 0);
}

/*
 * Regression: reports counted for the interval in which they came: six that came late stood for six of the last
 * interval that had not come, and an upper bound could be below the truth.
 */
static void a_report_that_comes_an_interval_later(void **state)
{
	struct socket_closes c;

	(void)state;
	socket_closes_begin(&c, &start, SECOND);
	report(&c, 14, 443, 100, 2LL * SECOND);
	settle(&c, later(20, 0, 0), 2LL * SECOND);
	assert_int_equal(missing(&c, later(20, 0, 0)), 6);
	report(&c, 6, 443, 100, 3LL * SECOND);                  /* these are of the first interval */
	assert_int_equal(missing(&c, later(26, 0, 0)), 6);
	report(&c, 6, 443, 100, 3LL * SECOND);
	assert_int_equal(missing(&c, later(26, 0, 0)), 0);
}

/* Closes of before the beginning must not stand for later ones. */
static void reports_of_earlier_closes_are_dropped_at_a_poll(void **state)
{
	struct socket_closes c;

	(void)state;
	socket_closes_begin(&c, &start, SECOND);
	report(&c, 3, 443, 100, SECOND);
	assert_int_equal(missing(&c, start), -3);
	settle(&c, start, 2LL * SECOND);
	assert_int_equal(missing(&c, start), 0);
	assert_int_equal(missing(&c, later(3, 0, 0)), 3);
}

/* The kernel's own connections, such as NFS, have no reports.  They must not leave all later bounds unknown. */
static void reports_that_never_come_are_given_up(void **state)
{
	struct socket_closes c;

	(void)state;
	socket_closes_begin(&c, &start, SECOND);
	settle(&c, later(1, 0, 0), 2LL * SECOND);
	assert_int_equal(missing(&c, later(1, 0, 0)), 1);
	settle(&c, later(1, 0, 0), 3LL * SECOND);
	assert_int_equal(missing(&c, later(1, 0, 0)), 0);
}

/* Regression: an attempt that failed without connect() waiting for it counted twice, as a failure and as a report. */
static void failed_attempts_stand_for_no_other_report(void **state)
{
	struct socket_closes c;

	(void)state;
	socket_closes_begin(&c, &start, SECOND);
	assert_int_equal(missing(&c, later(2, 2, 0)), 2);       /* their sockets are still there */
	report(&c, 1, 443, 0, SECOND);                          /* connect() returned before the failure */
	report(&c, 1, 0, 0, SECOND);                            /* it waited */
	assert_int_equal(missing(&c, later(2, 2, 0)), 0);
	assert_int_equal(missing(&c, later(5, 2, 0)), 3);

	/* Sockets that were never connected, such as listeners, stand for nothing without a failure. */
	report(&c, 5, 0, 0, SECOND);
	assert_int_equal(missing(&c, later(5, 2, 0)), 3);

	/* Nor does a handshake that another side broke off: it is a failure without a connection. */
	socket_closes_begin(&c, &start, SECOND);
	assert_int_equal(missing(&c, later(1, 4, 0)), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_closed_connection_has_a_report),
		cmocka_unit_test(a_report_that_comes_an_interval_later),
		cmocka_unit_test(reports_of_earlier_closes_are_dropped_at_a_poll),
		cmocka_unit_test(reports_that_never_come_are_given_up),
		cmocka_unit_test(failed_attempts_stand_for_no_other_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
