/*
 * test_sockets.c - TCP connections of a child that opens, uses and closes them as it is told, read by a
 * tree whose way to the kernel is the real one, or refuses, or lies.
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
	int tell, answer;                       /* pipes */
	int ends;                               /* hears of ends, as the tree does */
	double received, sent, unattributed;    /* told so far */
	bool known, unattributed_known;         /* in the last reading */
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

/* PIECE bytes there, and half of that back. */
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
		case 'f':                               /* a child uses what it has inherited */
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

static bool tell(struct job *j, const char *orders)
{
	char answer = 'n';

	for (; *orders; orders++)
		if (write(j->tell, orders, 1) != 1 || read(j->answer, &answer, 1) != 1 || answer != 'y')
			return false;
	return true;
}

/* ---- the tree ---------------------------------------------------------------------------- */

static void poll_now(struct job *j, bool brief)
{
	struct tick tick = { .src = &j->source, .text = &j->text, .out = &scratch, .brief = brief };
	struct totals *t = &scratch.total;

	sample_clear(&scratch);
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

/* Ends are told by a worker of the kernel's, a moment later; on a busy machine a long one. */
static void poll_after(struct job *j, int ends)
{
	struct pollfd reported = { .fd = j->ends, .events = POLLIN };
	char message[1024];

	while (ends > 0 && poll(&reported, 1, ENOUGH_SECONDS * 1000) > 0)
		while (recv(j->ends, message, sizeof message, MSG_DONTWAIT) > 0)
			ends--;
	assert_true(ends <= 0);
	(void)usleep(2000);                     /* each listener is told on its own */
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
	j->tell = orders[1];
	j->answer = answers[0];
	assert_true(tell(j, before));

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
	(void)close(j->tell);
	(void)close(j->answer);
	(void)close(j->ends);
	(void)kill(j->pid, SIGKILL);
	(void)waitpid(j->pid, NULL, 0);
	tree_close(j->tree);
	text_release(&j->text);
	source_close(&j->source);
}

static void assert_told_once(const struct job *j, const char *sentence)
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

static void all_kinds_while_they_last_and_after(void **state)
{
	static const char *const kinds[] = { "", "6", "m", "m6" };
	struct job j;

	(void)state;
	for (size_t i = 0; i < countof(kinds); i++) {
		begin(&j, NULL, true, kinds[i]);
		if (!tell(&j, "l")) {                   /* a machine without IPv6, or MPTCP */
			finish(&j);
			continue;
		}
		assert_true(tell(&j, "cu"));
		poll_now(&j, false);
		assert_bytes(&j, 1.5 * PIECE, 1.5 * PIECE);
		assert_true(tell(&j, "u"));
		poll_now(&j, false);
		assert_bytes(&j, 3 * PIECE, 3 * PIECE);
		poll_now(&j, false);
		assert_bytes(&j, 3 * PIECE, 3 * PIECE);
		assert_true(tell(&j, "fu"));            /* used by a child, used again */
		poll_now(&j, false);
		assert_bytes(&j, 6 * PIECE, 6 * PIECE);
		/* The end of an MPTCP connection that was accepted is not told. */
		if (kinds[i][0] != 'm') {
			assert_true(tell(&j, "ux"));
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
	assert_true(tell(j, "lc"));
	poll_now(j, false);
	assert_true(tell(j, "u"));
	(void)kill(j->pid, SIGKILL);
	(void)waitpid(j->pid, NULL, 0);
}

static void what_ends_with_the_job_is_reported(void **state)
{
	struct job j;

	(void)state;
	end_it(&j);
	poll_after(&j, 2);
	assert_bytes(&j, 1.5 * PIECE, 1.5 * PIECE);
	finish(&j);
}

/* Who looks at once waits for what the kernel is about to tell; and says so where that takes it too long. */
static void what_ends_with_the_job_is_waited_for(void **state)
{
	struct job j;

	(void)state;
	end_it(&j);
	poll_now(&j, true);
	if (j.unattributed_known)
		assert_bytes(&j, 1.5 * PIECE, 1.5 * PIECE);
	else
		assert_non_null(strstr(j.notices, "did not report in time"));
	finish(&j);
}

static void short_ones_are_known_by_who_accepted_them(void **state)
{
	struct job j;

	(void)state;
	begin(&j, NULL, true, "");
	assert_true(tell(&j, "lsss"));
	poll_after(&j, 6);
	assert_bytes(&j, 3 * PIECE, 3 * PIECE / 2);
	/* The other ends could be anybody's. */
	assert_true(j.unattributed_known);
	assert_true(j.unattributed >= 3 * 1.5 * PIECE);
	finish(&j);
}

/* A look at a tree that sleeps may be left out, however many of its members are yet to be looked at for sockets. */
static void it_is_quiet_until_a_connection_is_opened(void **state)
{
	struct sockets *s;
	struct job j;

	(void)state;
	begin(&j, NULL, true, "");
	s = j.tree->sockets;
	assert_true(tell(&j, "l"));
	s->budget.left_ns = -NS_PER_SECOND;             /* there is none for a look */
	poll_now(&j, false);
	assert_true(s->due.n > 0);
	assert_true(sockets_are_quiet(s));
	assert_true(tell(&j, "c"));
	assert_false(sockets_are_quiet(s));
	finish(&j);
}

static bool knows_all_that_is_open(struct job *j)
{
	(void)usleep(300 * 1000);
	poll_now(j, false);
	return j->tree->sockets->complete_ns > 0;
}

static void others_that_were_open_before_are_no_doubt(void **state)
{
	struct sockaddr_storage at;
	struct ends before = { 0 }, since = { 0 };
	socklen_t len;
	struct job j;

	(void)state;
	assert_true(listen_at(&before, AF_INET, &at, &len) && connect_to(&before, AF_INET, &at, len) && use(&before));
	begin(&j, NULL, true, "");
	wait_until(knows_all_that_is_open(&j));         /* its budget of CPU time may forbid it at once */
	since.listener = before.listener;
	assert_true(connect_to(&since, AF_INET, &at, len) && use(&since));
	(void)(close(before.client) | close(before.server) | close(since.client) | close(since.server));
	poll_after(&j, 2);                      /* the child has inherited those of before */
	assert_true(j.unattributed_known);
	if (!(j.unattributed >= 3 * PIECE && j.unattributed < 4.5 * PIECE))
		fail_msg("%.0f bytes may be ours, of %d", j.unattributed, 3 * PIECE);
	(void)close(before.listener);
	finish(&j);
}

static void what_was_before_an_attachment_is_not_counted(void **state)
{
	struct job j;

	(void)state;
	begin(&j, NULL, false, "lcu");
	assert_true(tell(&j, "u"));
	poll_now(&j, false);
	assert_bytes(&j, 1.5 * PIECE, 1.5 * PIECE);
	assert_true(tell(&j, "xcu"));                   /* closed, and a new one */
	poll_after(&j, 2);
	assert_bytes(&j, 3 * PIECE, 3 * PIECE);
	finish(&j);
}

static void what_we_hand_on_is_counted_from_first_sight(void **state)
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
	if (!tell(&j, "n")) {
		finish(&j);
		skip();
	}
	poll_now(&j, false);
	assert_false(j.known);
	assert_non_null(strstr(j.notices, "another network namespace"));
	finish(&j);
}

/* A /proc of another PID namespace has no "self" for us; what is in it may be anywhere. */
static void a_proc_that_does_not_know_us(void **state)
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
	assert_non_null(strstr(j.notices, "/proc does not show us"));
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

static void ends_that_the_kernel_could_not_queue(void **state)
{
	struct job j;

	(void)state;
	begin(&j, with_small_buffer, true, "");
	assert_true(tell(&j, "lcuxcuxcuxcuxcuxcuxcuxcux"));
	poll_after(&j, 16);
	assert_false(j.unattributed_known);
	poll_now(&j, false);
	assert_true(j.unattributed_known);
	finish(&j);
}

/* As on a machine too busy to tell of them within the time that there is at the end. */
static int told_of_no_end(const struct source *s, bool closes)
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

static void what_was_not_told_in_time_has_no_bound(void **state)
{
	struct job j;

	(void)state;
	begin(&j, told_of_no_end, true, "");
	assert_true(tell(&j, "lc"));
	poll_now(&j, false);
	assert_true(j.unattributed_known);
	assert_true(tell(&j, "u"));
	(void)kill(j.pid, SIGKILL);
	(void)waitpid(j.pid, NULL, 0);
	poll_now(&j, true);
	assert_near(j.sent, 0);
	assert_false(j.unattributed_known);
	assert_told_once(&j, "the kernel did not report in time the TCP connections that ended with the job: their "
			     "last bytes are missing\n");
	finish(&j);
}

/* Nobody's child, so none of the tree; each end of its connections is told to us, too. */
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

static void others_that_end_at_the_same_time(void **state)
{
	int until[2];

	assert_int_equal(pipe(until), 0);

	pid_t between = fork();

	if (between == 0) {
		(void)close(until[1]);
		neighbour(until[0]);
	}
	assert_int_equal(waitpid(between, NULL, 0), between);
	(void)usleep(20 * 1000);
	for (int i = 0; i < 10; i++)
		what_ends_with_the_job_is_waited_for(state);
	(void)(close(until[0]) | close(until[1]));
}

/* ---- with a kernel that refuses, or is no kernel ------------------------------------------- */

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

static void a_refusal_is_told_once_and_nothing_is_said(void **state)
{
	struct job j;

	(void)state;
	begin(&j, refuse_all, true, "lcu");
	for (int i = 0; i < 3; i++) {
		poll_now(&j, false);
		assert_false(j.known || j.unattributed_known);
	}
	assert_told_once(&j, "TCP connections of the tree are not counted: no answer from the kernel's socket "
			     "diagnostics: Permission denied\n");
	finish(&j);
}

static void without_ends_what_lives_is_counted(void **state)
{
	struct job j;

	(void)state;
	begin(&j, refuse_closes, true, "");
	assert_true(tell(&j, "lcu"));
	poll_now(&j, false);
	assert_bytes(&j, 1.5 * PIECE, 1.5 * PIECE);
	assert_false(j.unattributed_known);
	assert_non_null(strstr(j.notices, "does not report closed TCP connections (Operation not permitted)"));
	assert_true(tell(&j, "uxcu"));                  /* the end of the first is not seen, the second is */
	poll_now(&j, false);
	assert_bytes(&j, 3 * PIECE, 3 * PIECE);
	finish(&j);
}

static int descriptors_refused;

static int short_of_descriptors(const struct source *s, bool closes)
{
	return descriptors_refused-- > 0 ? -EMFILE : with_small_buffer(s, closes);
}

static void a_shortage_of_descriptors_may_be_over(void **state)
{
	struct job j;

	(void)state;
	descriptors_refused = 2;
	begin(&j, short_of_descriptors, true, "");
	assert_true(tell(&j, "lcu"));
	poll_now(&j, false);
	assert_false(j.known);
	assert_true(tell(&j, "u"));
	poll_now(&j, false);
	assert_bytes(&j, 3 * PIECE, 3 * PIECE);
	finish(&j);
}

/* What the false kernel says to whoever asks, and how often. */
static struct { unsigned char bytes[512]; size_t len; unsigned times; } lie, closes_lie;
static bool said_all;                           /* there was room for it, which only root can make */

static int false_kernel(const struct source *s, bool closes)
{
	static const int room = 16 << 20;
	int pair[2];

	(void)s;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	(void)setsockopt(pair[1], SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room);
	said_all = true;
	for (unsigned i = 0; i < (closes ? closes_lie.times : lie.times); i++)
		said_all &= send(pair[1], closes ? closes_lie.bytes : lie.bytes, closes ? closes_lie.len : lie.len,
				 MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
	/* The other end stays open: nothing more is said, and questions are swallowed. */
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
	assert_told_once(&j, "TCP connections of the tree are not counted: no answer from the kernel's socket "
			     "diagnostics: it has no module for TCP\n");
	finish(&j);
	close_false_kernels(first);
}

static void a_kernel_that_speaks_in_tongues(void **state)
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

static void too_many_ends_are_not_listened_to(void **state)
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
	if (!said_all) {
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

/* ---- a network of our own ----------------------------------------------------------------- */

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		(void)!write(fd, text, strlen(text));
		(void)close(fd);
	}
}

/* What the machine's other programs send meanwhile may be the job's as well, for all that the kernel says. */
static void leave_others_connections(void)
{
	struct ifreq loopback = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	unsigned user = getuid(), group = getgid();
	char map[32];
	int fd;

	if (unshare(CLONE_NEWNET) < 0) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
			return;
		put("/proc/self/setgroups", "deny");
		(void)snprintf(map, sizeof map, "%u %u 1", user, user);
		put("/proc/self/uid_map", map);
		(void)snprintf(map, sizeof map, "%u %u 1", group, group);
		put("/proc/self/gid_map", map);
	}
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_int_equal(ioctl(fd, SIOCSIFFLAGS, &loopback), 0);
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_kinds_while_they_last_and_after),
		cmocka_unit_test(what_ends_with_the_job_is_reported),
		cmocka_unit_test(what_ends_with_the_job_is_waited_for),
		cmocka_unit_test(short_ones_are_known_by_who_accepted_them),
		cmocka_unit_test(it_is_quiet_until_a_connection_is_opened),
		cmocka_unit_test(others_that_were_open_before_are_no_doubt),
		cmocka_unit_test(what_was_before_an_attachment_is_not_counted),
		cmocka_unit_test(what_we_hand_on_is_counted_from_first_sight),
		cmocka_unit_test(another_network_namespace),
		cmocka_unit_test(a_proc_that_does_not_know_us),
		cmocka_unit_test(ends_that_the_kernel_could_not_queue),
		cmocka_unit_test(what_was_not_told_in_time_has_no_bound),
		cmocka_unit_test(others_that_end_at_the_same_time),
		cmocka_unit_test(a_refusal_is_told_once_and_nothing_is_said),
		cmocka_unit_test(without_ends_what_lives_is_counted),
		cmocka_unit_test(a_shortage_of_descriptors_may_be_over),
		cmocka_unit_test(a_kernel_without_the_module),
		cmocka_unit_test(a_kernel_that_speaks_in_tongues),
		cmocka_unit_test(too_many_ends_are_not_listened_to),
	};

	leave_others_connections();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
