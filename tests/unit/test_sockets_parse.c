/* test_sockets_parse.c - the kernel's messages about sockets: as it sends them, and malformed. */
#include "fixture.h"

#include <arpa/inet.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <string.h>

#include "kernel/sockets_parse.h"
#include "sockets/sockets_table.h"

#define TEXT(literal) literal, sizeof literal - 1

struct message {
	struct nlmsghdr header;
	struct inet_diag_msg body;
	struct nlattr other;
	uint8_t other_value[4];
	struct nlattr info;
	struct tcp_info tcp;
} __attribute__((packed));

static struct message message(size_t info_bytes)
{
	struct message m = {
		.header = { .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_seq = 7 },
		.body = { .idiag_family = AF_INET6, .idiag_state = 1, .idiag_inode = 4711 },
		.other = { sizeof m.other + 1, INET_DIAG_SHUTDOWN }, .other_value = { 3 },
		.info = { (uint16_t)(sizeof m.info + info_bytes), INET_DIAG_INFO },
		.tcp = { .tcpi_bytes_acked = 1001, .tcpi_bytes_received = 70000, .tcpi_bytes_sent = 1500,
			 .tcpi_bytes_retrans = 500, .tcpi_last_data_sent = 40, .tcpi_last_data_recv = 70 },
	};

	m.header.nlmsg_len = (uint32_t)(offsetof(struct message, tcp) + info_bytes);
	m.body.id.idiag_sport = htons(443);
	m.body.id.idiag_cookie[0] = 5;
	m.body.id.idiag_cookie[1] = 1;
	return m;
}

static struct datagram_bytes bytes_of(const void *at, size_t len)
{
	return (struct datagram_bytes){ at, len };
}

static void a_socket_with_its_counters(void **state)
{
	struct message m = message(sizeof(struct tcp_info));
	struct datagram_bytes bytes = bytes_of(&m, sizeof m);
	struct diag_message got;

	(void)state;
	assert_int_equal(diag_next(&bytes, &got), 1);
	assert_int_equal(got.kind, DIAG_SOCKET);
	assert_int_equal(got.seq, 7);
	assert_int_equal(got.family, AF_INET6);
	assert_int_equal(got.inode, 4711);
	assert_true(got.cookie == (UINT64_C(1) << 32 | 5));
	assert_true(got.has_bytes);
	assert_int_equal(got.received, 70000);
	assert_int_equal(got.sent, 1000);       /* bytes sent twice count once */
	assert_int_equal(diag_next(&bytes, &got), 0);
	/* Bytes since the connection opened took no longer than since then. */
	bytes = bytes_of(&m, sizeof m);
	assert_int_equal(diag_next(&bytes, &got), 1);
	assert_int_equal(got.age_ms, 70);
	m.tcp.tcpi_busy_time = 90999;
	bytes = bytes_of(&m, sizeof m);
	assert_int_equal(diag_next(&bytes, &got), 1);
	assert_int_equal(got.age_ms, 90);
}

static void older_kernels_report_less(void **state)
{
	struct { size_t bytes; bool has; uint64_t sent; } cases[] = {
		{ offsetof(struct tcp_info, tcpi_segs_out), true, 1001 },       /* Linux 4.1 */
		{ offsetof(struct tcp_info, tcpi_bytes_received) + 7, false, 0 },
		{ offsetof(struct tcp_info, tcpi_bytes_acked), false, 0 },
		{ offsetof(struct tcp_info, tcpi_bytes_retrans), true, 1001 },
		{ 0, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct message m = message(cases[i].bytes);
		struct datagram_bytes bytes = bytes_of(&m, m.header.nlmsg_len);
		struct diag_message got;

		assert_int_equal(diag_next(&bytes, &got), 1);
		assert_int_equal(got.has_bytes, cases[i].has);
		assert_int_equal(got.sent, cases[i].sent);
		assert_int_equal(got.received, cases[i].has ? 70000 : 0);
	}
}

static void errors_and_ends(void **state)
{
	struct { struct nlmsghdr header; int error; } two[2] = {
		{ { sizeof two[0], NLMSG_ERROR, 0, 3, 0 }, -ENOENT }, { { sizeof two[0], NLMSG_DONE, 0, 4, 0 }, 0 },
	};
	struct datagram_bytes bytes = bytes_of(two, sizeof two);
	struct diag_message got;

	(void)state;
	assert_int_equal(diag_next(&bytes, &got), 1);
	assert_int_equal(got.kind, DIAG_ERROR);
	assert_int_equal(got.error, -ENOENT);
	assert_int_equal(got.seq, 3);
	assert_int_equal(diag_next(&bytes, &got), 1);
	assert_int_equal(got.kind, DIAG_DONE);
	assert_int_equal(diag_next(&bytes, &got), 0);
}

static void cut_and_malformed_messages_are_refused(void **state)
{
	struct message m = message(sizeof(struct tcp_info));
	struct diag_message got;
	struct datagram_bytes bytes;

	(void)state;
	for (size_t len = 1; len < sizeof m; len++) {
		bytes = bytes_of(&m, len);
		assert_int_equal(diag_next(&bytes, &got), -EBADMSG);
		assert_int_equal(diag_next(&bytes, &got), 0);
	}
	/* The header gives the full length, but fewer bytes than a socket follow. */
	for (uint32_t len = 0; len < sizeof m.header + sizeof m.body; len++) {
		m.header.nlmsg_len = len;
		bytes = bytes_of(&m, sizeof m);
		assert_int_equal(diag_next(&bytes, &got), -EBADMSG);
	}
	m = message(sizeof(struct tcp_info));
	m.header.nlmsg_type = 4711;
	bytes = bytes_of(&m, sizeof m);
	assert_int_equal(diag_next(&bytes, &got), -EBADMSG);
	/* An attribute of no length, and one longer than the message: the rest is not read. */
	m = message(sizeof(struct tcp_info));
	for (uint16_t len = 0; len < 2; len++) {
		m.other.nla_len = len ? UINT16_MAX : 0;
		bytes = bytes_of(&m, sizeof m);
		assert_int_equal(diag_next(&bytes, &got), 1);
		assert_false(got.has_bytes);
	}
}

static void requests(void **state)
{
	struct inet_diag_sockid id = { .idiag_sport = htons(80) };
	struct diag_request one = diag_request(9, AF_INET, &id), all = diag_request(1, AF_INET6, NULL);

	(void)state;
	assert_int_equal(one.header.nlmsg_flags, NLM_F_REQUEST);
	assert_int_equal(one.header.nlmsg_seq, 9);
	assert_int_equal(one.body.id.idiag_sport, htons(80));
	assert_int_equal(one.body.idiag_ext, 1 << (INET_DIAG_INFO - 1));
	assert_int_equal(all.header.nlmsg_flags, NLM_F_REQUEST | NLM_F_DUMP);
	assert_int_equal(all.body.sdiag_family, AF_INET6);
	assert_int_equal(all.body.idiag_ext, 0);
	assert_true(all.body.idiag_states & 1U << TCP_STATE_LISTEN);
	assert_false(all.body.idiag_states & 1U << TCP_STATE_TIME_WAIT);
	/* Several in one datagram follow each other without a gap. */
	assert_int_equal(sizeof one, NLMSG_ALIGN(sizeof one));
}

static void owner_of_a_port(void **state)
{
	struct diag_message m = { .family = AF_INET, .id = { .idiag_sport = htons(80), .idiag_src = { 5 } } };
	struct inet_diag_sockid any = { .idiag_sport = htons(80) }, here = any, there = any, other = any;

	(void)state;
	here.idiag_src[0] = 5;
	there.idiag_src[0] = 6;
	other.idiag_sport = htons(81);
	assert_true(same_port(&m, AF_INET, &any));
	assert_true(same_port(&m, AF_INET, &here));
	assert_false(same_port(&m, AF_INET, &there));
	assert_false(same_port(&m, AF_INET, &other));
	assert_false(same_port(&m, AF_INET6, &any));
}

static void links(void **state)
{
	static const char *const wrong[] = { "socket:[]", "socket:[12", "socket:[12]x", "pipe:[12]", "/tmp/socket:[12]", "",
					     "socket:[4294967296]", "socket:[0]", "socket:[-1]" };
	uint32_t inode = 0;

	(void)state;
	assert_true(socket_link(&inode, TEXT("socket:[4294967295]")));
	assert_true(inode == UINT32_MAX);
	for (size_t i = 0; i < countof(wrong); i++)
		assert_false(socket_link(&inode, wrong[i], strlen(wrong[i])));
}

static void connections_opened(void **state)
{
	static const char *const wrong[] = {
		"Ip: Forwarding\nIp: 1\n", "Tcp: ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab\n",
		"Tcp: ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab\nTcp: 1 2 3 4\n",
		"Tcp: ActiveOpens PassiveOpens AttemptFails CurrEstab\nTcp: 1 x 3 4\n", "Tcp: ActiveOpens\nTcp: 1\n", "",
	};
	struct tcp_counts c = { 0 };

	(void)state;
	assert_int_equal(tcp_counts_parse(&c, TEXT("Ip: Forwarding\nIp: 1\n"
		"Tcp: RtoAlgorithm MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs\n"
		"Tcp: 1 -1 22 4 3 2 5 77\nUdp: InDatagrams\n")), 0);
	assert_true(c.opens == 26 && c.fails == 3 && c.open == 5);
	for (size_t i = 0; i < countof(wrong); i++)
		assert_int_equal(tcp_counts_parse(&c, wrong[i], strlen(wrong[i])), -EBADMSG);
	assert_true(c.opens == 26 && c.fails == 3 && c.open == 5);
}

static void resolve(struct socket_table *t, uint32_t i, uint64_t cookie)
{
	struct diag_message m = { .cookie = cookie };

	socket_resolve(t, i, SOCKET_CONNECTED, &m);
}

static void the_table_keeps_connected_sockets(void **state)
{
	enum { MANY = 3000 };
	struct socket_table t = { 0 };

	(void)state;
	assert_int_equal(socket_find(&t, 1), 0);
	assert_int_equal(socket_find_cookie(&t, 1), 0);
	for (uint32_t i = 1; i <= MANY; i++) {
		uint32_t row = socket_add(&t, 2 * i, SOCKET_UNRESOLVED);

		assert_true(row > 0);
		resolve(&t, row, 1000000 + i);
	}
	for (uint32_t i = 1; i <= MANY; i++) {
		uint32_t row = socket_find(&t, 2 * i);

		assert_true(row > 0 && t.row[row].inode == 2 * i);
		assert_int_equal(socket_find_cookie(&t, 1000000 + i), row);
		assert_int_equal(socket_find(&t, 2 * i + 1), 0);
		if (i % 2)
			socket_remove(&t, row);
	}
	assert_int_equal(t.count[SOCKET_CONNECTED], MANY / 2);

	/* A process that opens others without end grows it to at most twice the needed size. */
	for (uint32_t i = 0; i < 50 * MANY; i++)
		assert_true(socket_add(&t, 1000000 + i, SOCKET_OTHER) > 0);
	assert_true(t.room <= 16384);
	assert_int_equal(t.count[SOCKET_CONNECTED], MANY / 2);
	for (uint32_t i = 1; i <= MANY; i++) {
		uint32_t row = socket_find(&t, 2 * i);

		assert_int_equal(row > 0, i % 2 == 0);
		assert_int_equal(socket_find_cookie(&t, 1000000 + i), row);
	}
	socket_table_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_socket_with_its_counters),
		cmocka_unit_test(older_kernels_report_less),
		cmocka_unit_test(errors_and_ends),
		cmocka_unit_test(cut_and_malformed_messages_are_refused),
		cmocka_unit_test(requests),
		cmocka_unit_test(owner_of_a_port),
		cmocka_unit_test(links),
		cmocka_unit_test(connections_opened),
		cmocka_unit_test(the_table_keeps_connected_sockets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
