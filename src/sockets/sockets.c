/* sockets.c - one look at the tree's sockets, and what it is told as. */
#include "sockets.h"

#include <poll.h>
#include <string.h>
#include <time.h>

#include "sockets_look.h"

enum {
	LATE_NS = 5 * 1000 * 1000,              /* for ends that the kernel may be about to tell */
	MISSING_NS = 50 * 1000 * 1000,          /* or, at the latest, has to: of what is known to have ended */
};

int sockets_open(struct sockets **ret, const struct socket_tree *tree)
{
	struct sockets *s = tree->src->socket_diag ? calloc(1, sizeof *s) : NULL;

	if (!s && tree->src->socket_diag)
		return -ENOMEM;
	*ret = s;
	if (!s)
		return 0;
	s->tree = *tree;
	if (!tree->visible) {
		s->off = true;
		notices_add(tree->notices, &s->noticed.off, "TCP connections of the tree are not counted: /proc does not know us, "
			    "so it cannot be told whether they are in our network namespace");
	}
	s->snmp = -1;
	s->budget = socket_budget_open();
	return 0;
}

void sockets_close(struct sockets *s)
{
	if (!s)
		return;
	link_close(s->link);
	close_p(&s->snmp);
	socket_table_release(&s->table);
	free(s->due.pid);
	free(s);
}

void sockets_member_ran(struct sockets *s, pid_t pid, struct socket_mark *mark)
{
	if (!s || s->off || mark->due)
		return;
	if (s->due.n == s->due.room) {
		size_t room = size_max(64, 2 * s->due.n);
		pid_t *due = realloc(s->due.pid, room * sizeof *due);

		if (!due)
			return;
		s->due.pid = due;
		s->due.room = room;
	}
	s->due.pid[s->due.n++] = pid;
	mark->due = true;
}

static int64_t monotonic_ns(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_SECOND + ts.tv_nsec;
}

static void turn_off(struct sockets *s, int error)
{
	if (error == -EMFILE || error == -ENFILE || error == -ENOMEM)   /* that may be over at the next look */
		return;
	s->off = true;
	link_close(s->link);
	s->link = NULL;
	notices_add(s->tree.notices, &s->noticed.off, "TCP connections of the tree are not counted: no answer from the kernel's "
		  "socket diagnostics: %s", error == -ENOENT ? "it has no module for TCP" : strerror(-error));
}

static int read_opens(struct sockets *s, uint64_t *ret)
{
	if (s->snmp < 0)
		s->snmp = source_open_file(s->tree.src->proc, "self/net/snmp");

	int r = s->snmp < 0 ? -errno : text_read(s->tree.text, s->snmp);

	return r < 0 ? r : tcp_opens_parse(ret, s->tree.text->at, s->tree.text->len);
}

/*
 * Whether a connection was opened in our namespace since the last look, by anybody: while none is, no member
 * can have a new one.  Unknown is yes.
 */
static bool opened_any(struct sockets *s)
{
	uint64_t opens = 0;

	if (read_opens(s, &opens) < 0)
		return true;

	bool known = s->opens_known;

	s->opened = known && opens > s->opens ? opens - s->opens : 0;
	s->opens = opens;
	s->opens_known = true;
	return !known || s->opened > 0;
}

bool sockets_are_quiet(struct sockets *s)
{
	uint64_t opens = 0;

	return !s || s->off || (s->opens_known && read_opens(s, &opens) == 0 && opens == s->opens);
}

static int open_link(struct sockets *s)
{
	int r = s->link ? 0 : link_open(&s->link, s->tree.src);

	if (r == 0)
		sockets_join(s);
	return r;
}

void sockets_listen(struct sockets *s)
{
	if (!s || s->off)
		return;
	s->budget.filled_ns = s->tree.src->monotonic_ns(s->tree.src->clock);
	(void)opened_any(s);

	int r = open_link(s);

	if (r < 0)
		turn_off(s, r);
}

/* How long the end of a connection is waited for that is known, or was opened since the last look, by whomever. */
static int64_t late_ns(const struct sockets *s)
{
	return sockets_some_missing(s) ? MISSING_NS : s->heard && s->ends < s->opened ? LATE_NS : 0;
}

/* The kernel tells an end a moment after it happened: worth waiting for only when there is no next time. */
static void hear_late(struct sockets *s)
{
	struct pollfd closes = { .fd = s->link->closes, .events = POLLIN };
	int64_t from_ns = monotonic_ns(), left_ns;

	/* Those of others that come meanwhile take nothing of the time. */
	while (closes.fd >= 0 && (left_ns = late_ns(s) - (monotonic_ns() - from_ns)) > 0) {
		struct timespec wait = { .tv_nsec = left_ns };

		if (ppoll(&closes, 1, &wait, NULL) > 0)
			sockets_hear(s, 0);
		closes.fd = s->link->closes;
	}
	if (closes.fd < 0 || !sockets_some_missing(s))
		return;
	s->heard = false;
	notices_add(s->tree.notices, &s->noticed.lost, "the kernel did not tell in time of TCP connections that ended with the job: what "
		  "they carried last is missing");
}

/* New ones first: the end of a connection that a member accepted is known by the socket that listens. */
static int ask_kernel(struct sockets *s, bool opened, bool brief, double seconds)
{
	bool last = s->pass.over;
	int r = brief ? 0 : sockets_list(s, opened);

	if (last)
		socket_budget_raise(&s->budget);
	sockets_hear(s, seconds);
	s->complete_ns = !brief && sockets_all_found(s) ? s->pass.now_ns : 0;
	if (r == 0)
		r = sockets_ask(s);
	if (r == 0 && last)
		hear_late(s);
	return r;
}

static void report(struct sockets *s, struct totals *out, bool known, bool all_heard)
{
	if (known) {
		out->process_net_recv_bytes = (double)s->received;
		out->process_net_sent_bytes = (double)s->sent;
		s->received = s->sent = 0;
	}
	if (all_heard)
		out->process_net_unattributed_bytes = (double)s->unattributed;
	s->unattributed = 0;
}

void sockets_read(struct sockets *s, const struct socket_pass *pass, struct totals *out)
{
	/*
	 * A command that waits to exec has opened nothing; what it inherits is found at the first look.  The only look
	 * at one that took less than an interval is brief: whose the connections were is not known then.
	 */
	if (!s || s->off || (pass->brief && s->looks == 0 && (pass->baseline || !s->link)))
		return;
	s->pass = *pass;

	bool some_known = s->table.count[SOCKET_CONNECTED] > 0;
	double seconds = socket_budget_fill(&s->budget, pass->now_ns, pass->slowdown, some_known);

	s->looks++;
	s->opened = s->ends = 0;

	bool listened = s->link && s->link->closes >= 0;
	/* Who did not run has opened nothing; what was opened before the first look is still to be found. */
	bool idle = s->opens_known && s->looks > 1 && s->due.n == 0 && !s->pass.over;
	bool opened = !idle && (opened_any(s) || s->looks == 1);

	s->heard = listened;
	if (s->looks == 1 && s->tree.ours)
		sockets_inherit(s);
	if (!pass->brief)
		sockets_look_at_members(s, opened);
	else
		s->due.behind |= opened;

	int r = s->link || opened || s->table.count[SOCKET_UNRESOLVED] > 0 ? open_link(s) : 0;

	if (r == 0 && s->link)
		r = ask_kernel(s, opened, pass->brief, seconds);
	if (r < 0) {
		turn_off(s, r);
		return;
	}
	/* After the end of a tree nobody can say what it had opened since the last look, but for who listened. */
	bool known = !s->blind && (listened || !opened || !s->pass.over);

	if (!pass->baseline)
		report(s, out, known, s->heard || (!opened && !s->link));
	else
		s->received = s->sent = s->unattributed = 0;
}
