/* sockets_kernel.c - the kernel's answers about the tree's sockets: counters, lists, closes. */
#include "sockets_poll.h"

#include <string.h>
#include <sys/socket.h>

enum {
	MISSING_MAX = 4,                        /* polls that wait for the last counters of a closed socket */
	REST_MAX = 6,                           /* a socket that is in no list is searched every 64 polls */
};

/* Adds what it carried since it was last counted.  A socket may be connected again: then it counts from 0. */
static void count(struct sockets *s, struct socket_row *r, const struct diag_message *m)
{
	bool anew = m->received < r->received || m->sent < r->sent;

	if (r->counted || !r->before) {
		s->received += m->received - (anew ? 0 : r->received);
		s->sent += m->sent - (anew ? 0 : r->sent);
	}
	r->received = m->received;
	r->sent = m->sent;
	r->counted = true;
	r->missing = 0;
}

static void lose(struct sockets *s, uint32_t i)
{
	socket_remove(&s->table, i);
	s->no_close_missed = false;
	if (!s->no_closes)
		notices_add(s->tree.notices, &s->noticed.lost,
			  "too many TCP connections close between two samples: the last bytes of some are missing");
}

static void take_answer(struct sockets *s, const struct diag_message *m)
{
	struct socket_row *r = m->seq < s->table.n ? &s->table.row[m->seq] : NULL;

	if (!r || r->kind != SOCKET_CONNECTED)
		return;
	if (m->kind == DIAG_SOCKET && m->cookie == r->cookie && m->has_bytes && m->state != TCP_STATE_TIME_WAIT)
		count(s, r, m);
	else if (++r->missing >= MISSING_MAX || !s->link || s->link->closes < 0)
		lose(s, m->seq);
}

static bool is_absence(int error)
{
	return error == 0 || error == -ENOENT || error == -ESTALE;
}

static int ask_batch(struct sockets *s, const struct diag_request *requests, size_t n)
{
	struct socket_link *l = s->link;
	struct diag_message m;
	size_t answers = 0;
	int r = link_ask(l, requests, n);

	while (r == 0 && answers < n) {
		int got = link_receive(l, l->ask);

		if (got <= 0)
			return got == -ENOBUFS ? 0 : got;
		answers += (size_t)got;
		while (link_next(l, &m) > 0) {
			if (m.kind == DIAG_ERROR && !is_absence(m.error))
				return m.error;
			take_answer(s, &m);
		}
	}
	return r;
}

int sockets_ask(struct sockets *s)
{
	struct diag_request requests[LINK_BATCH];
	uint32_t left = s->table.count[SOCKET_CONNECTED];
	int r = 0;

	while (left > 0 && r == 0 && s->budget.left_ns >= 0) {
		size_t n = 0;

		for (uint32_t steps = s->table.n; steps > 0 && left > 0 && n < LINK_BATCH; steps--) {
			s->cursor = s->cursor + 1 < s->table.n ? s->cursor + 1 : 1;

			const struct socket_row *row = &s->table.row[s->cursor];

			if (row->kind == SOCKET_CONNECTED) {
				requests[n++] = diag_request(s->cursor, row->family, &row->id);
				left--;
			}
		}
		if (n == 0)
			break;
		r = ask_batch(s, requests, n);
		socket_budget_spend(&s->budget);
	}
	return r;
}

/* ---- lists ------------------------------------------------------------------------------ */

/* A socket that the last lists did not contain may never be in one: it is searched less and less often. */
static bool wants_list(const struct sockets *s, uint8_t family, bool opened)
{
	if (s->table.count[SOCKET_UNRESOLVED] == 0)
		return false;
	for (uint32_t i = 1; i < s->table.n; i++) {
		const struct socket_row *r = &s->table.row[i];

		if (r->kind == SOCKET_UNRESOLVED && (r->family == family || r->family == AF_UNSPEC) &&
		    (r->missing == 0 || (opened && s->polls % (1U << r->missing) == 0)))
			return true;
	}
	return false;
}

static void take_listed(struct sockets *s, const struct diag_message *m)
{
	uint32_t i = m->inode ? socket_find(&s->table, m->inode) : 0;

	if (i && s->table.row[i].kind == SOCKET_UNRESOLVED)
		socket_resolve(&s->table, i, m->state == TCP_STATE_LISTEN ? SOCKET_LISTENS : SOCKET_CONNECTED, m);
}

/* Sockets that were not in it are not connected: what they carry from now on belongs to the tree. */
static void end_list(struct sockets *s)
{
	for (uint32_t i = 1; i < s->table.n; i++) {
		struct socket_row *r = &s->table.row[i];

		if (r->kind != SOCKET_UNRESOLVED || r->since > s->listing_since ||
		    (r->family != s->listing && r->family != AF_UNSPEC))
			continue;
		if (r->missing < REST_MAX)
			r->missing++;
		r->before = false;
	}
	close_p(&s->link->list);
	s->listing = 0;
}

/* The budget for lists: at every other poll what members left over, so that neither starves the other. */
static bool may_list(const struct sockets *s)
{
	return s->budget.left_ns >= (s->polls % 2 ? s->budget.reserve_ns : 0);
}

static int go_on_listing(struct sockets *s)
{
	struct diag_message m;
	bool over = false;

	while (!over && may_list(s)) {
		int got = link_receive(s->link, s->link->list);

		if (got < 0)
			return got;
		over = got == 0;
		while (link_next(s->link, &m) > 0) {
			if (m.kind == DIAG_SOCKET)
				take_listed(s, &m);
			else if (m.kind == DIAG_ERROR && m.error < 0)
				return m.error;
			else
				over = true;
		}
		socket_budget_spend(&s->budget);
	}
	if (over)
		end_list(s);
	return 0;
}

int sockets_list(struct sockets *s, bool opened)
{
	static const uint8_t families[] = { AF_INET, AF_INET6 };
	int r = s->listing ? go_on_listing(s) : 0;

	for (size_t i = 0; i < countof(families) && r == 0 && !s->listing && may_list(s); i++) {
		if (!wants_list(s, families[i], opened))
			continue;
		r = link_list(s->link, s->tree.src, families[i]);
		s->listing = families[i];
		s->listing_since = s->polls;
		if (r == 0)
			r = go_on_listing(s);
	}
	return r;
}

bool sockets_all_found(const struct sockets *s)
{
	if (s->due.behind || s->denied || s->listing)
		return false;
	for (uint32_t i = 1; s->table.count[SOCKET_UNRESOLVED] > 0 && i < s->table.n; i++)
		if (s->table.row[i].kind == SOCKET_UNRESOLVED && s->table.row[i].missing == 0)
			return false;
	return true;
}

/* ---- closes ----------------------------------------------------------------------------- */

void sockets_join(struct sockets *s)
{
	int fd = s->no_closes || s->link->closes >= 0 ? -1 : s->tree.src->socket_diag(s->tree.src, true);

	if (s->link->closes >= 0 || s->no_closes)
		return;
	if (fd < 0) {
		s->no_closes = true;
		notices_add(s->tree.notices, &s->noticed.closes, "the kernel does not report closed TCP connections (%s): their bytes "
			  "between the last sample and their end are missing", strerror(-fd));
		return;
	}
	s->link->closes = fd;
	s->closes_allowed = CLOSES_BURST;
}

/* Accepted by a socket on which only the tree listens. */
static bool is_accepted(const struct sockets *s, const struct diag_message *m)
{
	if (s->table.count[SOCKET_LISTENS] == 0)
		return false;
	for (uint32_t i = 1; i < s->table.n; i++) {
		const struct socket_row *r = &s->table.row[i];

		if (r->kind == SOCKET_LISTENS && !r->before && same_port(m, r->family, &r->id))
			return true;
	}
	return false;
}

/*
 * A socket belongs to another process if it was open when all sockets of members were known, and was not among them.
 * One of the two clocks counts in ticks of 10 ms.
 */
static bool is_anothers(const struct sockets *s, const struct diag_message *m)
{
	enum { TICKS_MS = 30 };
	int64_t now = s->tree.src->monotonic_ns(s->tree.src->clock);

	return s->complete_ns > 0 && now - ((int64_t)m->age_ms - TICKS_MS) * 1000000 < s->complete_ns;
}

static void take_end(struct sockets *s, const struct diag_message *m)
{
	uint32_t i = m->cookie ? socket_find_cookie(&s->table, m->cookie) : 0;

	if (i) {
		if (m->has_bytes && s->table.row[i].kind == SOCKET_CONNECTED)
			count(s, &s->table.row[i], m);
		socket_remove(&s->table, i);
	} else if (is_accepted(s, m)) {
		s->received += m->received;
		s->sent += m->sent;
	} else if (!is_anothers(s, m)) {
		s->unattributed += m->received + m->sent;
	}
}

/* A report costs the kernel 5 us at each close of any process: on a busy server we do without. */
static void leave_if_costly(struct sockets *s)
{
	/* Thousands of closes at the end of a job are an exception. */
	if (s->closes_allowed >= 0 || s->pass.over)
		return;
	close_p(&s->link->closes);
	s->no_closes = true;
	s->no_close_missed = false;
	notices_add(s->tree.notices, &s->noticed.closes, "more than %d TCP connections per second close on this machine: their closes are no longer "
		  "received, and their bytes between the last sample and their end are missing",
		  CLOSES_PER_SECOND);
}

void sockets_receive(struct sockets *s, double seconds)
{
	struct diag_message m;
	int got;

	if (s->link->closes < 0)
		return;
	s->closes_allowed += (int64_t)(seconds * CLOSES_PER_SECOND);
	if (s->closes_allowed > CLOSES_BURST)
		s->closes_allowed = CLOSES_BURST;
	while ((got = link_receive(s->link, s->link->closes)) != 0) {
		if (got == -ENOBUFS)
			s->no_close_missed = false;
		else if (got < 0)
			break;
		while (link_next(s->link, &m) > 0)
			if (m.kind == DIAG_SOCKET) {
				take_end(s, &m);
				socket_closes_add(&s->reports, &m, s->pass.now_ns);
			}
		s->closes_allowed -= got > 0 ? got : 0;
	}
	leave_if_costly(s);
}

bool sockets_some_missing(const struct sockets *s)
{
	for (uint32_t i = 1; i < s->table.n; i++)
		if (s->table.row[i].kind == SOCKET_CONNECTED && s->table.row[i].missing > 0)
			return true;
	return false;
}
