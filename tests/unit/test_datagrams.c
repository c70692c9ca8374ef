/* test_datagrams.c - datagrams from a pair of sockets in place of the kernel, and datagrams that the kernel drops. */
#include "fixture.h"

#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

#include "kernel/datagrams.h"

static struct datagrams d;
static int kernel = -1, ours = -1;

static int open_pair(void **state)
{
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), 0);
	kernel = pair[0];
	ours = pair[1];
	datagrams_clear(&d);
	return 0;
}

static int close_pair(void **state)
{
	(void)state;
	close_p(&kernel);
	close_p(&ours);
	return 0;
}

static void say(const char *text)
{
	assert_int_equal(send(kernel, text, strlen(text), 0), strlen(text));
}

/* Takes n bytes off the front, as a parser does. */
static void assert_front(const char *text, size_t n)
{
	struct datagram_bytes *front = datagrams_front(&d);

	assert_non_null(front);
	assert_int_equal(front->len, strlen(text));
	assert_memory_equal(front->at, text, front->len);
	front->at += n;
	front->len -= n;
}

static void an_empty_socket_gives_nothing(void **state)
{
	(void)state;
	assert_null(datagrams_front(&d));
	assert_int_equal(datagrams_receive(&d, ours, 8, 100), 0);
	assert_null(datagrams_front(&d));
}

static void several_are_taken_in_order(void **state)
{
	(void)state;
	say("first");
	say("second");
	assert_int_equal(datagrams_receive(&d, ours, 8, 100), 2);
	assert_front("first", 2);
	assert_front("rst", 3);
	assert_front("second", 6);
	assert_null(datagrams_front(&d));
	assert_null(datagrams_front(&d));
}

static void more_than_one_batch(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++)
		say(i == 2 ? "third" : "other");
	assert_int_equal(datagrams_receive(&d, ours, 2, 100), 2);
	assert_front("other", 5);
	/* Datagrams that were not taken by now are dropped. */
	assert_int_equal(datagrams_receive(&d, ours, 2, 100), 2);
	assert_front("third", 1);
	assert_int_equal(datagrams_receive(&d, ours, 2, 100), 1);
	assert_front("other", 5);
	assert_int_equal(datagrams_receive(&d, ours, 2, 100), 0);
	assert_null(datagrams_front(&d));
}

static void an_empty_datagram_is_skipped(void **state)
{
	(void)state;
	say("");
	say("a");
	say("");
	say("b");
	say("");
	assert_int_equal(datagrams_receive(&d, ours, DATAGRAMS_MAX, 10), 5);
	assert_front("a", 1);
	assert_front("b", 1);
	assert_null(datagrams_front(&d));
}

static void a_long_datagram_is_cut(void **state)
{
	(void)state;
	say("0123456789");
	say("next");
	assert_int_equal(datagrams_receive(&d, ours, 4, 4), 2);
	assert_front("0123", 4);
	assert_front("next", 4);
}

static void the_whole_buffer_can_be_used(void **state)
{
	static char large[DATAGRAMS_BUFFER];

	(void)state;
	memset(large, 'x', sizeof large);
	assert_int_equal(send(kernel, large, sizeof large, 0), sizeof large);
	assert_int_equal(datagrams_receive(&d, ours, 1, DATAGRAMS_BUFFER), 1);
	assert_int_equal(datagrams_front(&d)->len, sizeof large);
	assert_memory_equal(datagrams_front(&d)->at, large, sizeof large);
	/* The buffer, used again for short datagrams, holds none of the long one. */
	say("small");
	assert_int_equal(datagrams_receive(&d, ours, DATAGRAMS_MAX, DATAGRAMS_BUFFER / DATAGRAMS_MAX), 1);
	assert_front("small", 5);
	assert_null(datagrams_front(&d));
}

static void requests_arrive_unchanged(void **state)
{
	char question[16] = "";

	(void)state;
	assert_int_equal(datagrams_send(ours, "why?", 4), 0);
	assert_int_equal(recv(kernel, question, sizeof question, 0), 4);
	assert_string_equal(question, "why?");
	close_p(&kernel);
	/* No SIGPIPE either. */
	assert_int_equal(datagrams_send(ours, "why?", 4), -ECONNREFUSED);
}

static void failures_are_reported_and_leave_nothing(void **state)
{
	(void)state;
	say("first");
	assert_int_equal(datagrams_receive(&d, ours, 8, 100), 1);
	assert_int_equal(datagrams_receive(&d, -1, 8, 100), -EBADF);
	assert_null(datagrams_front(&d));
}

static int netlink(uint32_t groups, struct sockaddr_nl *ret)
{
	socklen_t len = sizeof *ret;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_USERSOCK);

	*ret = (struct sockaddr_nl){ .nl_family = AF_NETLINK, .nl_groups = groups };
	if (fd >= 0 && (bind(fd, (struct sockaddr *)ret, len) < 0 || getsockname(fd, (struct sockaddr *)ret, &len) < 0))
		close_p(&fd);
	return fd;
}

/* Only the kernel, and root to a multicast group, drops what has no room. */
static void kernel_drops_are_reported_once(void **state)
{
	enum { GROUP = 1 << 8, SMALL = 4096 };
	struct sockaddr_nl speaker, listener, group = { .nl_family = AF_NETLINK, .nl_groups = GROUP };
	auto_close int from = netlink(0, &speaker), to = netlink(GROUP, &listener);
	struct { struct nlmsghdr header; char bytes[1000]; } m = { .header = { .nlmsg_len = sizeof m } };
	int room = SMALL, got, received = 0, lost = 0;

	(void)state;
	if (from < 0 || to < 0)
		skip();
	assert_int_equal(setsockopt(to, SOL_SOCKET, SO_RCVBUF, &room, sizeof room), 0);
	for (int i = 0; i < 100; i++)           /* the error is harmless: the kernel receives it too */
		(void)!sendto(from, &m, sizeof m, 0, (struct sockaddr *)&group, sizeof group);
	while ((got = datagrams_receive(&d, to, 4, 2048)) != 0) {
		assert_true(got > 0 || got == -ENOBUFS);
		received += got > 0 ? got : 0;
		lost += got < 0;
	}
	assert_true(received > 0 && received < 100);
	assert_int_equal(lost, 1);
	(void)!sendto(from, &m, sizeof m, 0, (struct sockaddr *)&group, sizeof group);
	assert_int_equal(datagrams_receive(&d, to, 4, 2048), 1);
	assert_int_equal(datagrams_front(&d)->len, sizeof m);
}

int main(void)
{
#define PAIR_TEST(test) cmocka_unit_test_setup_teardown(test, open_pair, close_pair)
	const struct CMUnitTest tests[] = {
		PAIR_TEST(an_empty_socket_gives_nothing),
		PAIR_TEST(several_are_taken_in_order),
		PAIR_TEST(more_than_one_batch),
		PAIR_TEST(an_empty_datagram_is_skipped),
		PAIR_TEST(a_long_datagram_is_cut),
		PAIR_TEST(the_whole_buffer_can_be_used),
		PAIR_TEST(requests_arrive_unchanged),
		PAIR_TEST(failures_are_reported_and_leave_nothing),
		PAIR_TEST(kernel_drops_are_reported_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
