/* test_network.c - /proc/net/dev and /sys/class/net. */
#include "fixture.h"

#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "collect/netdev.h"

static const struct network_row *row(const struct fixture *f, const char *key)
{
	for (size_t i = 0; i < f->sample.n_network; i++)
		if (strcmp(f->sample.network[i].key, key) == 0)
			return &f->sample.network[i];
	fail_msg("no row %s", key);
	return &f->sample.network[0];
}

static void open_machine(struct fixture *f, const char *machine)
{
	fixture_open(f, machine);
	fixture_begin(f, &collector_network);
	assert_none(f->sample.total.network_total_recv_bytes);
}

static void lines_are_split_at_the_colon(void **state)
{
	static const char text[] =
		"Inter-|   Receive  |  Transmit\n face |bytes    packets|bytes\n"
		"  eth0:29212413 749 1 2 0 0 0 0 35563 416 3 4 0 0 0 0\n"
		"    lo: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
		"broken: 1 2 3\nno colon\n"
		"eth0.100@if3: 5 6 7 8 0 0 0 0 9 10 11 12 0 0 0 0";
	struct scan s = scan_of(text, strlen(text));
	struct interface_line line;

	(void)state;
	assert_true(netdev_next(&s, &line));
	assert_string_equal(line.name, "eth0");
	assert_int_equal(line.counters.recv_bytes, 29212413);
	assert_int_equal(line.counters.recv_packets, 749);
	assert_int_equal(line.counters.recv_errors, 1);
	assert_int_equal(line.counters.recv_drops, 2);
	assert_int_equal(line.counters.sent_bytes, 35563);
	assert_int_equal(line.counters.sent_packets, 416);
	assert_int_equal(line.counters.sent_errors, 3);
	assert_int_equal(line.counters.sent_drops, 4);
	assert_true(netdev_next(&s, &line));
	assert_string_equal(line.name, "eth0.100@if3");
	assert_int_equal(line.counters.sent_drops, 12);
	assert_false(netdev_next(&s, &line));
}

static void bridges_and_veth_pass_through_the_card(void **state)
{
	struct fixture f;

	(void)state;
	open_machine(&f, "net-bridge-veth");
	assert_int_equal(f.sample.n_network, 5);
	assert_string_equal(f.sample.network[0].key, "docker0");
	assert_string_equal(f.sample.network[1].key, "enp3s0f0np0");
	assert_string_equal(row(&f, "enp3s0f0np0")->mac_address, "52:54:00:12:34:56");
	assert_string_equal(row(&f, "enp3s0f0np0")->driver, "ixgbe");
	assert_string_equal(row(&f, "enp3s0f0np0")->operstate, "up");
	assert_near(row(&f, "enp3s0f0np0")->speed_mbps, 10000);
	assert_near(row(&f, "enp3s0f0np0")->mtu, 9000);
	assert_string_equal(row(&f, "docker0")->driver, "");
	assert_none(row(&f, "docker0")->speed_mbps);
	assert_string_equal(row(&f, "wg0")->mac_address, "");

	fixture_advance(&f, 1, 1);
	assert_int_equal(f.sample.n_network, 6);
	assert_near(row(&f, "enp3s0f0np0")->recv_bytes, 100000);
	assert_near(row(&f, "enp3s0f0np0")->recv_packets, 1000);
	assert_near(row(&f, "enp3s0f0np0")->recv_errors, 3);
	assert_near(row(&f, "enp3s0f0np0")->sent_drops, 5);
	assert_near(row(&f, "docker0")->sent_bytes, 5000);
	assert_near(row(&f, "docker0")->counted_in_total, 0);
	assert_near(row(&f, "vethd93f2aa")->counted_in_total, 0);
	assert_near(row(&f, "wg0")->counted_in_total, 0);
	assert_near(row(&f, "ifb0")->counted_in_total, 0);
	assert_none(row(&f, "veth1234567")->recv_bytes);        /* just appeared */
	assert_near(row(&f, "veth1234567")->recv_bytes_total, 77777);
	assert_near(f.sample.total.network_total_recv_bytes, 100000);
	assert_near(f.sample.total.network_total_sent_bytes, 10000);
	assert_near(f.sample.total.network_total_recv_packets, 1000);
	assert_near(f.sample.total.network_total_sent_packets, 10);
	assert_near(f.sample.total.network_total_errors, 3);
	assert_near(f.sample.total.network_total_drops, 6);
	fixture_close(&f);
}

static void bonds_and_vlans_count_by_their_cards(void **state)
{
	struct fixture f;

	(void)state;
	open_machine(&f, "net-bond-vlan");
	assert_near(row(&f, "eth1")->speed_mbps, -1);
	fixture_advance(&f, 1, 1);
	assert_near(row(&f, "bond0")->counted_in_total, 0);
	assert_near(row(&f, "bond0.100")->counted_in_total, 0);
	assert_near(row(&f, "bond0.100")->recv_bytes, 500);
	assert_near(row(&f, "eth1")->recv_bytes, 0);            /* created anew: its counters fell */
	assert_near(f.sample.total.network_total_recv_bytes, 500);
	assert_near(f.sample.total.network_total_sent_bytes, 100);
	fixture_close(&f);
}

static void a_container_counts_its_interface_outwards(void **state)
{
	struct fixture f;

	(void)state;
	open_machine(&f, "net-container");
	fixture_advance(&f, 1, 1);
	assert_near(row(&f, "eth0")->counted_in_total, 1);
	assert_near(row(&f, "tun0")->counted_in_total, 0);
	assert_near(f.sample.total.network_total_recv_bytes, 500);

	/* If there is only the tunnel, traffic leaves by the tunnel. */
	fixture_write(&f, "proc/net/dev", " tun0: 2300 9 0 0 0 0 0 0 950 9 0 0 0 0 0 0\n");
	f.now_ns += NS_PER_SECOND;
	assert_int_equal(fixture_read(&f), 0);
	assert_int_equal(f.sample.n_network, 1);
	assert_near(row(&f, "tun0")->counted_in_total, 1);
	assert_near(f.sample.total.network_total_recv_bytes, 1000);
	assert_near(f.sample.total.network_total_sent_bytes, 50);
	fixture_close(&f);
}

static void a_pair_counts_by_its_upper_half(void **state)
{
	struct fixture f;

	(void)state;
	open_machine(&f, "net-hyperv");
	fixture_advance(&f, 1, 1);
	assert_near(row(&f, "eth0")->counted_in_total, 1);
	assert_near(row(&f, "enP1s1")->counted_in_total, 0);
	assert_near(f.sample.total.network_total_recv_bytes, 500);
	fixture_close(&f);
}

static void state_is_read_again_at_intervals(void **state)
{
	struct fixture f;

	(void)state;
	open_machine(&f, "net-container");
	fixture_write(&f, "sys/class/net/eth0/operstate", "down\n");
	f.now_ns += NS_PER_SECOND;
	assert_int_equal(fixture_read(&f), 0);
	assert_string_equal(row(&f, "eth0")->operstate, "up");
	f.now_ns += 10 * NS_PER_SECOND;
	assert_int_equal(fixture_read(&f), 0);
	assert_string_equal(row(&f, "eth0")->operstate, "down");
	fixture_close(&f);
}

static int news[2];                             /* the ends of the collector and of the test */

static int news_by_hand(const struct source *s)
{
	(void)s;
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, news), 0);
	return news[0];
}

static const char *eth0_after(struct fixture *f, int seconds)
{
	f->now_ns += seconds * NS_PER_SECOND;
	assert_int_equal(fixture_read(f), 0);
	return row(f, "eth0")->operstate;
}

static void state_is_read_after_messages_and_rarely_without(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "net-container");
	f.source.link_news = news_by_hand;
	fixture_begin(&f, &collector_network);
	fixture_write(&f, "sys/class/net/eth0/operstate", "down\n");
	assert_string_equal(eth0_after(&f, 10), "up");
	assert_string_equal(eth0_after(&f, 10), "up");
	for (int i = 0; i < 3; i++)
		assert_int_equal(send(news[1], "news", 4, 0), 4);
	assert_string_equal(eth0_after(&f, 10), "down");
	fixture_write(&f, "sys/class/net/eth0/operstate", "up\n");
	assert_string_equal(eth0_after(&f, 10), "down");        /* the messages were older than the last reading */
	assert_string_equal(eth0_after(&f, 50), "up");
	fixture_close(&f);
	(void)close(news[1]);
}

enum { AS_EXPECTED, NO_NAMESPACE, NO_SOCKET, NEWS_OF_NOTHING, NO_NEWS, TOO_MANY };

static void turn_loopback(int fd, short flags)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = flags };

	(void)ioctl(fd, SIOCSIFFLAGS, &request);
}

/* Run in a network namespace of its own. */
static int messages_of_the_kernel(const struct source *s)
{
	enum { TURNS = 50, KEPT_AT_MOST = 8 };
	int reported = 0;
	char first;

	if (unshare(CLONE_NEWNET) < 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
		return NO_NAMESPACE;

	auto_close int fd = s->link_news(s), any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || any < 0)
		return NO_SOCKET;
	if (recv(fd, &first, 1, 0) >= 0 || errno != EAGAIN)
		return NEWS_OF_NOTHING;
	for (short i = 0; i < TURNS; i++)
		turn_loopback(any, i % 2 ? 0 : IFF_UP);
	while (recv(fd, &first, 1, 0) > 0 || errno == ENOBUFS)
		reported++;
	return reported == 0 ? NO_NEWS : reported > KEPT_AT_MOST ? TOO_MANY : AS_EXPECTED;
}

static void the_kernel_reports_interfaces_and_queues_little(void **state)
{
	struct source real;
	struct why why;
	int status;

	(void)state;
	assert_int_equal(source_open(&real, "/", &why), 0);

	pid_t pid = fork();

	if (pid == 0)
		_exit(messages_of_the_kernel(&real));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	source_close(&real);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_NAMESPACE || WEXITSTATUS(status) == NO_SOCKET)
		skip();
	assert_int_equal(WEXITSTATUS(status), AS_EXPECTED);
}

static void without_network_there_is_none(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "disk-4kn");
	assert_int_equal(fixture_start(&f, &collector_network), -ENODATA);
	fixture_close(&f);
}

static void a_captured_tree_without_the_link(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "disk-4kn");
	fixture_write(&f, "proc/self/net/dev", "eth7: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n");
	fixture_begin(&f, &collector_network);
	assert_near(row(&f, "eth7")->counted_in_total, 1);      /* nothing known about it */
	fixture_close(&f);
}

static void a_hurried_baseline_loses_nothing(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "net-bridge-veth");
	assert_int_equal(fixture_start(&f, &collector_network), 0);
	f.brief = true;
	assert_int_equal(fixture_read(&f), 0);
	assert_int_equal(f.sample.n_network, 0);
	fixture_advance(&f, 1, 1);
	assert_near(row(&f, "enp3s0f0np0")->recv_bytes, 100000);
	assert_near(row(&f, "docker0")->counted_in_total, 0);
	assert_near(f.sample.total.network_total_recv_bytes, 100000);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_split_at_the_colon),
		cmocka_unit_test(bridges_and_veth_pass_through_the_card),
		cmocka_unit_test(a_hurried_baseline_loses_nothing),
		cmocka_unit_test(bonds_and_vlans_count_by_their_cards),
		cmocka_unit_test(a_container_counts_its_interface_outwards),
		cmocka_unit_test(a_pair_counts_by_its_upper_half),
		cmocka_unit_test(state_is_read_again_at_intervals),
		cmocka_unit_test(state_is_read_after_messages_and_rarely_without),
		cmocka_unit_test(the_kernel_reports_interfaces_and_queues_little),
		cmocka_unit_test(without_network_there_is_none),
		cmocka_unit_test(a_captured_tree_without_the_link),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
