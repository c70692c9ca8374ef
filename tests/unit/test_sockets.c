/*
 * test_sockets.c - TCP connections of a child that opens, uses and closes them on orders, read by a tree
 * with the real interface to the kernel, or with one that refuses or sends false messages.
 */
#include "fixture.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sockets/sockets_poll.h"
#include "tree/tree_state.h"

enum { PIECE = 10000, MPTCP = 262 };

struct job {
	struct source source;
	struct tree *tree;
	struct text text;
	pid_t pid;
	int orders, answers;                    /* pipes */
	int ends;                               /* receives closes, as the tree does */
	double received, sent, unattributed;    /* reported so far */
	bool known, unattributed_known;         /* in the last reading */
	bool poor;                              /* readings get no budget beyond what is left of it */
	char notices[1024];
};

static struct sample scratch;

/* ---- the child --------------------------------------------------------------------------- */

struct ends { int listener, client, server, protocol; };

static bool listen_at(struct ends *e, int family, struct sockaddr_storage *at, socklen_t *len)
{
	*at = (struct sockaddr_storage){ .ss_family = (sa_family_t)family };
	*len = family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
	if (family == AF_INET)
		((struct sockaddr_in *)at)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		((struct sockaddr_in6 *)at)->sin6_addr = in6addr_loopback;
	e->listener = socket(family, SOCK_STREAM, e->protocol);
	return bind(e->listener, (struct sockaddr *)at, *len) == 0 && listen(e->listener, 8) == 0 &&
	       getsockname(e->listener, (struct sockaddr *)at, len) == 0;
}

static bool connect_to(struct ends *e, int family, const struct sockaddr_storage *at, socklen_t len)
{
	e->client = socket(family, SOCK_STREAM, e->protocol);
	if (connect(e->client, (const struct sockaddr *)at, len) < 0)
		return false;
	e->server = accept(e->listener, NULL, NULL);
	return e->server >= 0;
}

/* Sends PIECE bytes, and half of that back. */
static bool use(const struct ends *e)
{
	static char bytes[PIECE];

	return send(e->client, bytes, PIECE, 0) == PIECE && recv(e->server, bytes, PIECE, MSG_WAITALL) == PIECE &&
	       send(e->server, bytes, PIECE / 2, 0) == PIECE / 2 &&
	       recv(e->client, bytes, PIECE / 2, MSG_WAITALL) == PIECE / 2;
}

static _Noreturn void child(int orders, int answers)
{
	struct ends e = { -1, -1, -1, 0 };
	struct sockaddr_storage at;
	socklen_t len = 0;
	int family = AF_INET;
	bool ok = true;
	char order;

	(void)alarm(ENOUGH_SECONDS);
	while (ok && read(orders, &order, 1) == 1) {
		switch (order) {
		case '6': family = AF_INET6; break;
		case 'm': e.protocol = MPTCP; break;
		case 'l': ok = listen_at(&e, family, &at, &len); break;
		case 'c': ok = connect_to(&e, family, &at, len); break;
		case 'u': ok = use(&e); break;
		case 'x': ok = close(e.client) == 0 && close(e.server) == 0; break;
		case 's':                               /* a short one, by a child */
			if (fork() == 0) {
				struct ends mine = e;

				_exit(!(connect_to(&mine, family, &at, len) && use(&mine)));
			}
			(void)wait(NULL);
			break;
		case 'f':                               /* a child uses an inherited one */
			if (fork() == 0)
				_exit(!use(&e));
			(void)wait(NULL);
			break;
		case 'n': ok = unshare(CLONE_NEWNET) == 0; break;
		default: ok = false;
		}
		ok = ok || order == 'l' || order == 'n' ? write(answers, ok ? "y" : "n", 1) == 1 : ok;
	}
	_exit(!ok);
}

static bool order(struct job *j, const char *orders)
{
	char answer = 'n';

	for (; *orders; orders++)
		if (write(j->orders, orders, 1) != 1 || read(j->answers, &answer, 1) != 1 || answer != 'y')
			return false;
	return true;
}

/* ---- the tree ---------------------------------------------------------------------------- */

static void poll_now(struct job *j, bool brief)
{
	struct tick tick = { .src = &j->source, .text = &j->text, .out = &scratch, .brief = brief };
	struct totals *t = &scratch.total;

	sample_clear(&scratch);
	if (j->tree->sockets && !j->poor)               /* these tests are of bytes; a sanitizer is slow */
		j->tree->sockets->budget.left_ns = NS_PER_SECOND;
	assert_int_equal(tree_read(j->tree, &tick), 0);
	j->known = !is_none(t->process_net_recv_bytes);
	j->unattributed_known = !is_none(t->process_net_unattributed_bytes);
	assert_int_equal(is_none(t->process_net_sent_bytes), !j->known);
	j->received += j->known ? t->process_net_recv_bytes : 0;
	j->sent += j->known ? t->process_net_sent_bytes : 0;
	j->unattributed += j->unattributed_known ? t->process_net_unattributed_bytes : 0;
	for (const char *n; (n = tree_notice(j->tree)) != NULL;) {
		strncat(j->notices, n, sizeof j->notices - strlen(j->notices) - 2);
		strncat(j->notices, "\n", 2);
	}
}

/* A kernel worker reports closes a moment later, on a busy machine a long moment. */
static void poll_after(struct job *j, int ends)
{
	struct pollfd reported = { .fd = j->ends, .events = POLLIN };
	char message[1024];

	while (ends > 0 && poll(&reported, 1, ENOUGH_SECONDS * 1000) > 0)
		while (recv(j->ends, message, sizeof message, MSG_DONTWAIT) > 0)
			ends--;
	assert_true(ends <= 0);
	(void)usleep(2000);                     /* each listener is notified separately */
	poll_now(j, false);
}

static int listen_to_ends(void)
{
	struct source real;
	int fd;

	assert_int_equal(source_open(&real, "/", NULL), 0);
	fd = real.socket_diag(&real, true);
	source_close(&real);
	assert_true(fd >= 0);
	return fd;
}

static void begin(struct job *j, int (*diag)(const struct source *, bool), bool ours, const char *before)
{
	int orders[2], answers[2];

	memset(j, 0, sizeof *j);
	assert_int_equal(pipe(orders) | pipe(answers), 0);
	j->pid = fork();
	if (j->pid == 0) {
		(void)close(orders[1]);
		child(orders[0], answers[1]);
	}
	(void)close(orders[0]);
	(void)close(answers[1]);
	j->orders = orders[1];
	j->answers = answers[0];
	assert_true(order(j, before));

	struct tree_options options = { .roots = &j->pid, .n_roots = 1, .ours = ours };

	assert_int_equal(source_open(&j->source, "/", NULL), 0);
	if (diag)
		j->source.socket_diag = diag;
	assert_int_equal(tree_open(&j->tree, &j->source, &options, NULL), 0);
	j->ends = listen_to_ends();
	poll_now(j, ours);
	assert_false(j->known);                 /* a baseline has no amounts */
	if (ours)
		tree_listen(j->tree);
}

static void finish(struct job *j)
{
	(void)close(j->orders);
	(void)close(j->answers);
	(void)close(j->ends);
	(void)kill(j->pid, SIGKILL);
	(void)waitpid(j->pid, NULL, 0);
	tree_close(j->tree);
	text_release(&j->text);
	source_close(&j->source);
}

static void assert_note_once(const struct job *j, const char *sentence)
{
	const char *at = strstr(j->notices, sentence);

	assert_non_null(at);
	assert_null(strstr(at + strlen(sentence), "TCP"));
}

/* Each end that the other one closed first has a FIN, which counts as a byte received. */
static void assert_bytes(const struct job *j, double received, double sent)
{
	assert_true(j->known);
	assert_near(j->sent, sent);
	if (!(j->received >= received && j->received <= received + 4))
		fail_msg("%.0f received, %.0f is true", j->received, received);
}

/* ---- with the real kernel ---------------------------------------------------------------- */

static void all_kinds_while_open_and_after(void **state)
{
	static const char *const kinds[] = { "", "6", "m", "m6" };
	struct job j;

	(void)state;
	for (size_t i = 0; i < countof(kinds); i++) {
		begin(&j, NULL, true, kinds[i]);
		if (!order(&j, "l")) {                  /* a machine without IPv6, or MPTCP */
			finish(&j);
			continue;
		}
		assert_true(order(&j, "cu"));
		poll_now(&j, false);
		assert_bytes(&j, 1.5 * PIECE, 1.5 * PIECE);
		assert_true(order(&j, "u"));
		poll_now(&j, false);
		assert_bytes(&j, 3 * PIECE, 3 * PIECE);
		poll_now(&j, false);
		assert_bytes(&j, 3 * PIECE, 3 * PIECE);
		assert_true(order(&j, "fu"));           /* used by a child, used again */
		poll_now(&j, false);
		assert_bytes(&j, 6 * PIECE, 6 * PIECE);
		/* The kernel does not report the close of an accepted MPTCP connection. */
		if (kinds[i][0] != 'm') {
			assert_true(order(&j, "ux"));
			poll_after(&j, 2);
			poll_now(&j, false);
			assert_bytes(&j, 7.5 * PIECE, 7.5 * PIECE);
		}
		assert_null(strstr(j.notices, "TCP"));
		finish(&j);
	}
}

static void end_it(struct job *j)
{
	begin(j, NULL, true, "");
	assert_true(order(j, "lc"));
	poll_now(j, false);
	assert_true(order(j, "u"));
	(void)kill(j->pid, SIGKILL);
	(void)waitpid(j->pid, NULL, 0);
}

static void connections_that_end_with_the_job_are_reported(void **state)
{
	struct job j;

	(void)state;
	end_it(&j);
	poll_after(&j, 2);
	assert_bytes(&j, 1.5 * PIECE, 1.5 * PIECE);
	finish(&j);
}

/*
 * A reading right after the end waits for closes yet to be reported; if they take too long, or are too many beside a
 * fast neighbour, it gives a notice.  Returns whether there is a bound for other connections.
 */
static bool ends_with_its_bytes(void)
{
	struct job j;
	bool lost;

	end_it(&j);
	poll_now(&j, true);
	lost = strstr(j.notices, "did not report in time") || strstr(j.notices, "TCP connections close") ||
	       strstr(j.notices, "TCP connections per second close");
	if (!lost)
		assert_bytes(&j, 1.5 * PIECE, 1.5 * PIECE);
	finish(&j);
	return j.unattributed_known || lost;
}

static void the_last_reading_waits_for_closes(void **state)
{
	(void)state;
	assert_true(ends_with_its_bytes());
}

static void short_connections_are_known_by_their_accepting_end(void **state)
{
	struct job j;

	(void)state;
	begin(&j, NULL, true, "");
	assert_true(order(&j, "lsss"));
	poll_after(&j, 6);
	assert_bytes(&j, 3 * PIECE, 3 * PIECE / 2);
	/* The other ends can be any process's. */
	assert_true(j.unattributed_known);
	assert_true(j.unattributed >= 3 * 1.5 * PIECE);
	finish(&j);
}

/* A reading of a sleeping tree can be skipped, even if many of its members are yet to be checked for sockets. */
static void sockets_are_quiet_until_a_connection_is_opened(void **state)
{
	struct sockets *s;
	struct job j;

	(void)state;
	begin(&j, NULL, true, "");
	s = j.tree->sockets;
	assert_true(order(&j, "l"));
	j.poor = true;                                  /* no budget for a check */
	s->budget.left_ns = -NS_PER_SECOND;
	poll_now(&j, false);
	assert_true(s->due.n > 0);
	assert_true(sockets_are_quiet(s));
	assert_true(order(&j, "c"));
	assert_false(sockets_are_quiet(s));
	finish(&j);
}

static bool knows_all_that_is_open(struct job *j)
{
	(void)usleep(300 * 1000);
	poll_now(j, false);
	return j->tree->sockets->complete_ns > 0;
}

static bool old_connections_are_left_out(void)
{
	struct sockaddr_storage at;
	struct ends before = { 0 }, since = { 0 };
	socklen_t len;
	struct job j;

	assert_true(listen_at(&before, AF_INET, &at, &len) && connect_to(&before, AF_INET, &at, len) && use(&before));
	begin(&j, NULL, true, "");
	wait_until(knows_all_that_is_open(&j));         /* its budget of CPU time can delay it */
	since.listener = before.listener;
	assert_true(connect_to(&since, AF_INET, &at, len) && use(&since));
	(void)(close(before.client) | close(before.server) | close(since.client) | close(since.server));
	poll_after(&j, 2);                      /* the child inherited the old ones */
	assert_true(j.unattributed_known && j.unattributed >= 3 * PIECE);

	bool left_out = j.unattributed < 4.5 * PIECE;

	(void)close(before.listener);
	finish(&j);
	return left_out;
}

/* Their age is from the report of their close: one that comes late makes them younger, and the bound wider. */
static void foreign_connections_open_before_widen_no_bound(void **state)
{
	(void)state;
	wait_until(old_connections_are_left_out());
}

static void bytes_before_an_attachment_are_not_counted(void **state)
{
	struct job j;

	(void)state;
	begin(&j, NULL, false, "lcu");
	assert_true(order(&j, "u"));
	poll_now(&j, false);
	assert_bytes(&j, 1.5 * PIECE, 1.5 * PIECE);
	assert_true(order(&j, "xcu"));                  /* closed, and a new one */
	poll_after(&j, 2);
	assert_bytes(&j, 3 * PIECE, 3 * PIECE);
	finish(&j);
}

static void inherited_connections_count_from_the_first_reading(void **state)
{
	struct job j;
	struct ends e = { 0 };
	struct sockaddr_storage at;
	socklen_t len;
	char bytes[PIECE];

	(void)state;
	assert_true(listen_at(&e, AF_INET, &at, &len) && connect_to(&e, AF_INET, &at, len) && use(&e));
	begin(&j, NULL, true, "");
	poll_now(&j, false);
	assert_bytes(&j, 0, 0);
	assert_int_equal(send(e.client, bytes, PIECE, 0), PIECE);
	assert_int_equal(recv(e.server, bytes, PIECE, MSG_WAITALL), PIECE);
	poll_now(&j, false);
	assert_bytes(&j, PIECE, PIECE);
	(void)close(e.client);
	(void)close(e.server);
	(void)close(e.listener);
	finish(&j);
}

/* Not counted is not 0. */
static void another_network_namespace(void **state)
{
	struct job j;

	(void)state;
	begin(&j, NULL, true, "");
	if (!order(&j, "n")) {
		finish(&j);
		skip();
	}
	poll_now(&j, false);
	assert_false(j.known);
	assert_non_null(strstr(j.notices, "another network namespace"));
	finish(&j);
}

/* A /proc of another PID namespace has no "self" for this process; its processes can be in any network namespace. */
static void a_proc_of_another_pid_namespace(void **state)
{
	char root[] = "/tmp/test-sockets-XXXXXX", folder[64], path[96], text[1024];
	struct job j = { 0 };
	int stat = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t n = read(stat, text, sizeof text);

	(void)state;
	j.pid = getpid();
	assert_non_null(mkdtemp(root));
	(void)snprintf(folder, sizeof folder, "%s/%d", root, (int)j.pid);
	(void)snprintf(path, sizeof path, "%s/stat", folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	(void)close(stat);
	stat = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(stat, text, (size_t)n), n);
	(void)close(stat);

	struct tree_options options = { .roots = &j.pid, .n_roots = 1 };

	assert_int_equal(source_open(&j.source, "/", NULL), 0);
	(void)close(j.source.proc);
	j.source.proc = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(tree_open(&j.tree, &j.source, &options, NULL), 0);
	poll_now(&j, false);
	poll_now(&j, false);
	assert_false(j.known || j.unattributed_known);
	assert_non_null(strstr(j.notices, "/proc does not show the recorder"));
	tree_close(j.tree);
	text_release(&j.text);
	source_close(&j.source);
	assert_int_equal(unlink(path) | rmdir(folder) | rmdir(root), 0);
}

static int with_small_buffer(const struct source *s, bool closes)
{
	static const int bytes = 4096;
	struct source real;
	int fd;

	(void)s;
	assert_int_equal(source_open(&real, "/", NULL), 0);
	fd = real.socket_diag(&real, closes);
	source_close(&real);
	if (closes)
		assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes), 0);
	return fd;
}

static void closes_dropped_by_the_kernel(void **state)
{
	struct job j;

	(void)state;
	begin(&j, with_small_buffer, true, "");
	assert_true(order(&j, "lcuxcuxcuxcuxcuxcuxcuxcux"));
	poll_after(&j, 16);
	assert_false(j.unattributed_known);
	poll_now(&j, false);
	assert_true(j.unattributed_known);
	finish(&j);
}

/* As on a machine too busy to report them within the time limit at the end. */
static int without_closes(const struct source *s, bool closes)
{
	struct source real;
	int fd;

	(void)s;
	(void)closes;
	assert_int_equal(source_open(&real, "/", NULL), 0);
	fd = real.socket_diag(&real, false);
	source_close(&real);
	return fd;
}

static void closes_reported_too_late_have_no_bound(void **state)
{
	struct job j;

	(void)state;
	begin(&j, without_closes, true, "");
	assert_true(order(&j, "lc"));
	poll_now(&j, false);
	assert_true(j.unattributed_known);
	assert_true(order(&j, "u"));
	(void)kill(j.pid, SIGKILL);
	(void)waitpid(j.pid, NULL, 0);
	poll_now(&j, true);
	assert_near(j.sent, 0);
	assert_false(j.unattributed_known);
	assert_note_once(&j, "the kernel did not report in time the TCP connections that ended with the job: their "
			     "last bytes are missing\n");
	finish(&j);
}

/*
 * Regression: the last reading waited 5 ms for reports of closes, and told the bound without those that had not come.
 * In the interval nothing of them was seen.
 */
static void short_connections_without_a_report_have_no_bound(void **state)
{
	struct job j;

	(void)state;
	begin(&j, without_closes, true, "");
	assert_true(order(&j, "lsss"));
	(void)kill(j.pid, SIGKILL);
	(void)waitpid(j.pid, NULL, 0);
	poll_now(&j, true);
	assert_false(j.unattributed_known);
	finish(&j);
}

static bool has_a_bound_beside(const struct sockaddr_storage *at, socklen_t len, const struct ends *listening)
{
	struct ends theirs = *listening;
	bool known;
	struct job j;

	begin(&j, NULL, true, "");
	assert_true(connect_to(&theirs, AF_INET, at, len) && use(&theirs));
	assert_true(order(&j, "lsss"));
	(void)kill(j.pid, SIGKILL);
	(void)waitpid(j.pid, NULL, 0);
	poll_now(&j, true);
	known = j.unattributed_known;
	assert_true(!known || j.unattributed >= 3 * 1.5 * PIECE);
	finish(&j);
	(void)(close(theirs.client) | close(theirs.server));
	return known;
}

/* A connection of others that is opened in the last interval, and stays open, leaves the bound known. */
static void foreign_connections_that_stay_open_are_not_waited_for(void **state)
{
	struct ends listening = { -1, -1, -1, 0 };
	struct sockaddr_storage at;
	socklen_t len;

	(void)state;
	assert_true(listen_at(&listening, AF_INET, &at, &len));
	wait_until(has_a_bound_beside(&at, len, &listening));   /* others can be about to begin or end beside it */
	(void)close(listening.listener);
}

/* Reparented to init, so not in the tree; the tree is notified of each close of its connections, too. */
static _Noreturn void neighbour(int until)
{
	struct pollfd over = { .fd = until };
	struct ends e = { -1, -1, -1, 0 };
	struct sockaddr_storage at;
	socklen_t len;

	if (fork() != 0)
		_exit(0);
	(void)alarm(ENOUGH_SECONDS);
	if (listen_at(&e, AF_INET, &at, &len))
		while (connect_to(&e, AF_INET, &at, len) && close(e.client) == 0 && close(e.server) == 0 &&
		       poll(&over, 1, 0) == 0)
			;
	_exit(0);
}

static void foreign_connections_that_close_at_the_same_time(void **state)
{
	int until[2];

	(void)state;
	assert_int_equal(pipe(until), 0);

	pid_t between = fork();

	if (between == 0) {
		(void)close(until[1]);
		neighbour(until[0]);
	}
	assert_int_equal(waitpid(between, NULL, 0), between);
	(void)usleep(20 * 1000);
	for (int i = 0; i < 10; i++)
		(void)ends_with_its_bytes();    /* there are always some of its closes to come: it has no bound */
	(void)(close(until[0]) | close(until[1]));
}

/* A connection that is refused: while connect() waits, or after it has returned (SOCK_NONBLOCK). */
static void attempt(const struct sockaddr_storage *at, socklen_t len, int flags)
{
	struct pollfd client = { .fd = socket(AF_INET, SOCK_STREAM | flags, 0), .events = POLLOUT };

	assert_int_equal(connect(client.fd, (const struct sockaddr *)at, len), -1);
	assert_int_equal(poll(&client, 1, ENOUGH_SECONDS * 1000), 1);
	(void)close(client.fd);
}

/* The kernel's counts and its reports agree, however sockets end; at no moment is there one report too many. */
static void counts_and_reports_of_closes_agree(void **state)
{
	struct ends e = { -1, -1, -1, 0 };
	struct sockaddr_storage at;
	struct socket_closes c;
	struct tcp_counts now;
	struct source source;
	struct text text = { 0 };
	unsigned char bytes[4096];
	socklen_t len;
	ssize_t got;
	int snmp, fd = listen_to_ends();
	int64_t still = 1;

	(void)state;
	assert_int_equal(source_open(&source, "/", NULL), 0);
	snmp = source_open_file(source.proc, "self/net/snmp");
	assert_true(snmp >= 0 && text_read(&text, snmp) >= 0);
	assert_int_equal(tcp_counts_parse(&now, text.at, text.len), 0);
	socket_closes_begin(&c, &now, 0);

	for (int i = 0; i < 10; i++) {
		assert_true(listen_at(&e, AF_INET, &at, &len));
		assert_true(connect_to(&e, AF_INET, &at, len) && use(&e));
		(void)(close(e.client) | close(e.server));
		assert_true(connect_to(&e, AF_INET, &at, len));                 /* without data */
		(void)(close(e.server) | close(e.client));
		(void)close(socket(AF_INET, SOCK_STREAM, 0));
		(void)close(e.listener);
		attempt(&at, len, 0);
		attempt(&at, len, SOCK_NONBLOCK);
	}
	while (still > 0) {
		struct pollfd reported = { .fd = fd, .events = POLLIN };

		assert_int_equal(poll(&reported, 1, ENOUGH_SECONDS * 1000), 1);
		while ((got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
			struct datagram_bytes rest = { bytes, (size_t)got };
			struct diag_message m;

			while (diag_next(&rest, &m) > 0)
				socket_closes_add(&c, &m, 0);
		}
		assert_true(text_read(&text, snmp) >= 0);
		assert_int_equal(tcp_counts_parse(&now, text.at, text.len), 0);
		still = socket_closes_missing(&c, &now);
		assert_true(still >= 0);
	}
	text_release(&text);
	source_close(&source);
	(void)(close(snmp) | close(fd));
}

/* ---- with a kernel that refuses, and with a false kernel ----------------------------------- */

static int refuse_all(const struct source *s, bool closes)
{
	(void)s;
	(void)closes;
	return -EACCES;
}

static int refuse_closes(const struct source *s, bool closes)
{
	struct source real;
	int fd = -EPERM;

	(void)s;
	if (closes)
		return fd;
	assert_int_equal(source_open(&real, "/", NULL), 0);
	fd = real.socket_diag(&real, false);
	source_close(&real);
	return fd;
}

static void a_refusal_is_reported_once_without_values(void **state)
{
	struct job j;

	(void)state;
	begin(&j, refuse_all, true, "lcu");
	for (int i = 0; i < 3; i++) {
		poll_now(&j, false);
		assert_false(j.known || j.unattributed_known);
	}
	assert_note_once(&j, "TCP connections of the tree are not counted: no answer from the kernel's socket "
			     "diagnostics: Permission denied\n");
	finish(&j);
}

static void without_closes_open_connections_are_counted(void **state)
{
	struct job j;

	(void)state;
	begin(&j, refuse_closes, true, "");
	assert_true(order(&j, "lcu"));
	poll_now(&j, false);
	assert_bytes(&j, 1.5 * PIECE, 1.5 * PIECE);
	assert_false(j.unattributed_known);
	assert_non_null(strstr(j.notices, "does not report closed TCP connections (Operation not permitted)"));
	assert_true(order(&j, "uxcu"));                 /* the end of the first is not seen, the second is */
	poll_now(&j, false);
	assert_bytes(&j, 3 * PIECE, 3 * PIECE);
	finish(&j);
}

static int descriptors_refused;

static int short_of_descriptors(const struct source *s, bool closes)
{
	return descriptors_refused-- > 0 ? -EMFILE : with_small_buffer(s, closes);
}

static void a_shortage_of_descriptors_can_end(void **state)
{
	struct job j;

	(void)state;
	descriptors_refused = 2;
	begin(&j, short_of_descriptors, true, "");
	assert_true(order(&j, "lcu"));
	poll_now(&j, false);
	assert_false(j.known);
	assert_true(order(&j, "u"));
	poll_now(&j, false);
	assert_bytes(&j, 3 * PIECE, 3 * PIECE);
	finish(&j);
}

/* The messages that the false kernel sends to each caller, and how often. */
static struct { unsigned char bytes[512]; size_t len; unsigned times; } lie, closes_lie;
static bool all_were_sent;                      /* all had room, which only root can ensure */

static int false_kernel(const struct source *s, bool closes)
{
	static const int room = 16 << 20;
	int pair[2];

	(void)s;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	(void)setsockopt(pair[1], SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room);
	all_were_sent = true;
	for (unsigned i = 0; i < (closes ? closes_lie.times : lie.times); i++)
		all_were_sent &= send(pair[1], closes ? closes_lie.bytes : lie.bytes, closes ? closes_lie.len : lie.len,
				 MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
	/* The other end stays open: no more is sent, and requests are ignored. */
	return pair[0];
}

static void close_false_kernels(int first)
{
	for (int fd = first; fd < first + 32; fd++)
		(void)close(fd);
}

static void a_kernel_without_the_module(void **state)
{
	struct { struct nlmsghdr header; int error; } none = { { sizeof none, NLMSG_ERROR, 0, 1, 0 }, -ENOENT };
	struct job j;
	int first = dup(0);

	(void)state;
	memcpy(lie.bytes, &none, sizeof none);
	lie.len = sizeof none;
	lie.times = 1;
	closes_lie.times = 0;
	begin(&j, false_kernel, true, "lcu");
	poll_now(&j, false);
	poll_now(&j, false);
	assert_false(j.known);
	assert_note_once(&j, "TCP connections of the tree are not counted: no answer from the kernel's socket "
			     "diagnostics: it has no module for TCP\n");
	finish(&j);
	close_false_kernels(first);
}

static void a_kernel_that_sends_garbage(void **state)
{
	struct job j;
	int first = dup(0);

	(void)state;
	memset(lie.bytes, 0x5a, sizeof lie.bytes);
	lie.len = sizeof lie.bytes;
	closes_lie = lie;
	lie.times = closes_lie.times = 3;
	begin(&j, false_kernel, true, "lcu");
	poll_now(&j, false);
	poll_now(&j, false);
	assert_true(j.known);
	assert_near(j.received, 0);
	finish(&j);
	close_false_kernels(first);
}

static void too_many_closes_stop_the_listening(void **state)
{
	struct { struct nlmsghdr header; struct inet_diag_msg body; } end = {
		{ sizeof end, SOCK_DIAG_BY_FAMILY, 0, 0, 0 }, { .idiag_family = AF_INET },
	};
	struct job j;
	int first = dup(0);

	(void)state;
	memcpy(closes_lie.bytes, &end, sizeof end);
	closes_lie.len = sizeof end;
	closes_lie.times = 2 * CLOSES_BURST;
	lie.times = 0;
	begin(&j, false_kernel, true, "");
	if (!all_were_sent) {
		finish(&j);
		close_false_kernels(first);
		skip();
	}
	poll_now(&j, false);
	assert_non_null(strstr(j.notices, "more than 1000 TCP connections per second close on this machine"));
	assert_false(j.unattributed_known);
	poll_now(&j, false);
	assert_false(j.unattributed_known);
	finish(&j);
	close_false_kernels(first);
}

/* ---- a separate network namespace --------------------------------------------------------- */

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		(void)!write(fd, text, strlen(text));
		(void)close(fd);
	}
}

/*
 * A network for each test: the ends of connections of other programs, or of the previous test, which the kernel can
 * destroy late, could be the job's as far as the kernel reports.
 */
static int own_network(void **state)
{
	struct ifreq loopback = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	unsigned user = getuid(), group = getgid();
	char map[32];
	int fd;

	(void)state;
	if (unshare(CLONE_NEWNET) < 0) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
			return 0;
		put("/proc/self/setgroups", "deny");
		(void)snprintf(map, sizeof map, "%u %u 1", user, user);
		put("/proc/self/uid_map", map);
		(void)snprintf(map, sizeof map, "%u %u 1", group, group);
		put("/proc/self/gid_map", map);
	}
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_int_equal(ioctl(fd, SIOCSIFFLAGS, &loopback), 0);
	return close(fd);
}

#define in_own_network(test) cmocka_unit_test_setup(test, own_network)

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_own_network(all_kinds_while_open_and_after),
		in_own_network(connections_that_end_with_the_job_are_reported),
		in_own_network(the_last_reading_waits_for_closes),
		in_own_network(short_connections_are_known_by_their_accepting_end),
		in_own_network(sockets_are_quiet_until_a_connection_is_opened),
		in_own_network(foreign_connections_open_before_widen_no_bound),
		in_own_network(bytes_before_an_attachment_are_not_counted),
		in_own_network(inherited_connections_count_from_the_first_reading),
		in_own_network(another_network_namespace),
		in_own_network(a_proc_of_another_pid_namespace),
		in_own_network(closes_dropped_by_the_kernel),
		in_own_network(closes_reported_too_late_have_no_bound),
		in_own_network(short_connections_without_a_report_have_no_bound),
		in_own_network(foreign_connections_that_stay_open_are_not_waited_for),
		in_own_network(foreign_connections_that_close_at_the_same_time),
		in_own_network(counts_and_reports_of_closes_agree),
		in_own_network(a_refusal_is_reported_once_without_values),
		in_own_network(without_closes_open_connections_are_counted),
		in_own_network(a_shortage_of_descriptors_can_end),
		in_own_network(a_kernel_without_the_module),
		in_own_network(a_kernel_that_sends_garbage),
		in_own_network(too_many_closes_stop_the_listening),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
