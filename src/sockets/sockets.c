/* sockets.c - one poll of the tree's sockets, and its report. */
#include "sockets.h"

#include <poll.h>
#include <string.h>
#include <time.h>

#include "sockets_poll.h"

enum {
	LATE_NS = 5 * 1000 * 1000,              /* to wait for closes that the kernel may report soon */
	MISSING_NS = 50 * 1000 * 1000,          /* or for those that it has to report */
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
		notices_add(tree->notices, &s->noticed.off, "TCP connections of the tree are not counted: /proc does not show the recorder, "
			    "so it is unknown whether they are in its network namespace");
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
	if (error == -EMFILE || error == -ENFILE || error == -ENOMEM)   /* this may be over at the next poll */
		return;
	s->off = true;
	link_close(s->link);
	s->link = NULL;
	notices_add(s->tree.notices, &s->noticed.off, "TCP connections of the tree are not counted: no answer from the kernel's "
		  "socket diagnostics: %s", error == -ENOENT ? "it has no module for TCP" : strerror(-error));
}

static int read_counts(struct sockets *s, struct tcp_counts *ret)
{
	if (s->snmp < 0)
		s->snmp = source_open_file(s->tree.src->proc, "self/net/snmp");

	int r = s->snmp < 0 ? -errno : text_read(s->tree.text, s->snmp);

	return r < 0 ? r : tcp_counts_parse(ret, s->tree.text->at, s->tree.text->len);
}

/*
 * Whether any process opened a connection in our namespace since the last poll.  If not, no member can have a new one.
 * Unknown counts as yes.
 */
static bool opened_any(struct sockets *s)
{
	struct tcp_counts now;
	bool known = s->counts_known;

	if (read_counts(s, &now) < 0)
		return true;
	s->opened = known && now.opens > s->counts.opens ? now.opens - s->counts.opens : 0;
	if (!known || !s->pass.over)
		s->counts = now;
	s->counts_known = true;
	return !known || s->opened > 0;
}

bool sockets_are_quiet(struct sockets *s)
{
	struct tcp_counts now;

	return !s || s->off || (s->counts_known && read_counts(s, &now) == 0 && now.opens == s->counts.opens);
}

static int open_link(struct sockets *s)
{
	int r = s->link ? 0 : link_open(&s->link, s->tree.src);
	bool joined = r == 0 && s->link->closes >= 0;

	if (r == 0)
		sockets_join(s);
	if (r == 0 && !joined)
		socket_closes_begin(&s->reports, &s->counts, s->tree.src->monotonic_ns(s->tree.src->clock));
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

/*
 * Whether a connection of our namespace, opened since the last poll or with its close missing then, has
 * ended and its close is still to be reported.  One that is about to begin or to end counts as such, too.
 */
static bool some_unreported(struct sockets *s)
{
	struct tcp_counts now;

	if (s->opened == 0 && !s->awaited)
		return false;
	return !s->counts_known || read_counts(s, &now) < 0 || socket_closes_missing(&s->reports, &now) > 0;
}

/* The counts of this poll are from before its reports: new ones, unless there were no reports. */
static void settle_closes(struct sockets *s)
{
	struct tcp_counts now = s->counts;

	if (!s->counts_known || (s->reports.reported_ns == s->pass.now_ns && read_counts(s, &now) < 0))
		return;
	if (!s->no_close_missed)
		socket_closes_begin(&s->reports, &now, s->pass.now_ns);
	socket_closes_settle(&s->reports, &now, s->pass.now_ns);
	s->awaited = socket_closes_missing(&s->reports, &now) > 0;
}

/* How long to wait for the close of a connection that is known, or that can be one of the job's. */
static int64_t late_ns(struct sockets *s)
{
	if (sockets_some_missing(s))
		return MISSING_NS;
	return s->no_close_missed && some_unreported(s) ? LATE_NS : 0;
}

/* The kernel reports a close a moment after it happened.  It is worth waiting for only at the last poll. */
static void receive_late(struct sockets *s)
{
	struct pollfd closes = { .fd = s->link->closes, .events = POLLIN };
	int64_t from_ns = monotonic_ns(), left_ns;

	/* Closes of other processes do not end the wait. */
	while (closes.fd >= 0 && (left_ns = late_ns(s) - (monotonic_ns() - from_ns)) > 0) {
		struct timespec wait = { .tv_nsec = left_ns };

		if (ppoll(&closes, 1, &wait, NULL) > 0)
			sockets_receive(s, 0);
		closes.fd = s->link->closes;
	}
	if (closes.fd < 0)
		return;
	/* The kernel's worker that reports them has no CPU on a busy machine: what they carried is not in the bound. */
	s->no_close_missed = s->no_close_missed && !some_unreported(s);
	if (!sockets_some_missing(s))
		return;
	s->no_close_missed = false;
	notices_add(s->tree.notices, &s->noticed.lost, "the kernel did not report in time the TCP connections that ended with the job: "
		  "their last bytes are missing");
}

/* New sockets first: the close of an accepted connection is known by the listening socket. */
static int ask_kernel(struct sockets *s, bool opened, bool brief, double seconds)
{
	bool last = s->pass.over;
	int r = brief ? 0 : sockets_list(s, opened);

	if (last)
		socket_budget_raise(&s->budget);
	sockets_receive(s, seconds);
	s->complete_ns = !brief && sockets_all_found(s) ? s->pass.now_ns : 0;
	if (r == 0)
		r = sockets_ask(s);
	if (r == 0 && last)
		receive_late(s);
	return r;
}

static void report(struct sockets *s, struct totals *out, bool known, bool no_close_missed)
{
	if (known) {
		out->process_net_recv_bytes = (double)s->received;
		out->process_net_sent_bytes = (double)s->sent;
		s->received = s->sent = 0;
	}
	if (no_close_missed)
		out->process_net_unattributed_bytes = (double)s->unattributed;
	s->unattributed = 0;
}

void sockets_read(struct sockets *s, const struct socket_pass *pass, struct totals *out)
{
	/*
	 * A command that waits to exec has opened nothing; sockets that it inherits are found at the first poll.  If
	 * the command took less than an interval, its only poll is brief: the owners of connections are unknown then.
	 */
	if (!s || s->off || (pass->brief && s->polls == 0 && (pass->baseline || !s->link)))
		return;
	s->pass = *pass;

	bool some_known = s->table.count[SOCKET_CONNECTED] > 0;
	double seconds = socket_budget_fill(&s->budget, pass->now_ns, pass->slowdown, some_known);

	s->polls++;
	s->opened = 0;

	bool listened = s->link && s->link->closes >= 0;
	/* A member that did not run has opened nothing.  Sockets from before the first poll are still to be found. */
	bool idle = s->counts_known && s->polls > 1 && s->due.n == 0 && !s->pass.over;
	bool opened = !idle && (opened_any(s) || s->polls == 1);

	s->no_close_missed = listened;
	if (s->polls == 1 && s->tree.ours)
		sockets_inherit(s);
	if (!pass->brief)
		sockets_poll_members(s, opened);
	else
		s->due.behind |= opened;

	int r = s->link || opened || s->table.count[SOCKET_UNRESOLVED] > 0 ? open_link(s) : 0;

	if (r == 0 && s->link)
		r = ask_kernel(s, opened, pass->brief, seconds);
	if (r < 0) {
		turn_off(s, r);
		return;
	}
	if (!idle && !s->pass.over && listened)
		settle_closes(s);
	/* After the last exit, connections opened since the last poll are known only if we listened. */
	bool known = !s->blind && (listened || !opened || !s->pass.over);

	if (!pass->baseline)
		report(s, out, known, s->no_close_missed || (!opened && !s->link));
	else
		s->received = s->sent = s->unattributed = 0;
}
