/* udp_senders.c - rows into datagrams. */
#include "udp_senders.h"

#include <string.h>
#include <sys/socket.h>

#include "../analysis/answer.h"
#include "form_statsd.h"

/* ---- a datagram -------------------------------------------------------------------------------- */

/* Sends the text up to n; its counters are then as they were sent. */
static void send_text(struct udp_sender *s, size_t n)
{
	const char *at = s->text.at;
	ssize_t sent = send(s->fd, at, n, MSG_DONTWAIT | MSG_NOSIGNAL);

	/* That was the answer to a datagram before; this one was not sent. */
	if (sent < 0 && errno == ECONNREFUSED) {
		s->refused++;
		sent = send(s->fd, at, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	}
	s->trouble.text[0] = '\0';
	if (sent < 0)
		(void)why_set(&s->trouble, 0, "%s", strerror(errno));
	for (size_t i = 0; sent >= 0 && i < s->n_lines; i++)
		s->units[s->line[i].series] = s->line[i].units;
}

/* A line ends where the next one begins: the last newline of a datagram is not sent. */
static void flush(struct udp_sender *s)
{
	if (s->n_lines > 0)
		send_text(s, s->text.len - 1);
	buffer_clear(&s->text);
	s->n_lines = 0;
}

/* The lines from `begin` on are of this series: they stay, or go into the next datagram if they do not fit. */
static void take_line(struct udp_sender *s, size_t begin, size_t series, int64_t units)
{
	size_t n = s->text.len - begin;

	if (s->text.failed || n > DATAGRAM_BYTES) {
		s->left_out++;
		s->text.len = begin;
		return;
	}
	if (s->text.len - 1 > DATAGRAM_BYTES || s->n_lines == DATAGRAM_LINES) {
		if (s->n_lines > 0)
			send_text(s, begin - 1);
		memmove(s->text.at, s->text.at + begin, n);
		s->text.len = n;
		s->n_lines = 0;
	}
	s->line[s->n_lines].series = series;
	s->line[s->n_lines++].units = units;
}

static bool has_room(struct udp_sender *s, size_t n)
{
	int64_t *more;

	if (n <= s->n_units)
		return true;
	more = reallocarray(s->units, n, sizeof *more);
	if (!more)
		return false;
	memset(more + s->n_units, 0, (n - s->n_units) * sizeof *more);
	s->units = more;
	s->n_units = n;
	return true;
}

/* all: also series that have no point in this row. */
static void send_points(struct udp_sender *s, const struct points *p, bool all)
{
	if (s->fd < 0 && s->lookup)
		s->fd = name_lookup_socket(s->lookup, &s->trouble);
	if (s->fd >= 0 && !has_room(s, p->n_series)) {
		(void)why_set(&s->trouble, 0, "out of memory");
		return;
	}
	if (s->fd < 0)
		return;
	for (size_t i = 0; i < p->n_series; i++) {
		const struct series *series = &p->series[i];
		bool counts = series->metric->kind == KIND_AMOUNT;
		int64_t units = counts ? statsd_units(series) : 0;
		size_t begin = s->text.len;

		if ((!all && !points_first(p, series)) || (counts && units == s->units[i]))
			continue;
		if (counts)
			statsd_count(&s->text, p, series, units - s->units[i]);
		else
			statsd_gauge(&s->text, p, series);
		take_line(s, begin, i, units);
	}
	flush(s);
}

/* ---- a run ------------------------------------------------------------------------------------- */

void udp_senders_open(struct udp_senders *d, const struct destination *to, size_t n, const struct record_facts *facts)
{
	*d = (struct udp_senders){ .n = n };
	points_open(&d->points, facts);
	for (size_t i = 0; i < n; i++) {
		struct udp_sender *s = &d->at[i];

		*s = (struct udp_sender){ .to = to[i], .fd = -1 };
		if (name_lookup_open(&s->lookup, s->to.url, &s->trouble) < 0)
			s->lookup = NULL;
	}
}

void udp_senders_row(struct udp_senders *d, const struct sample *row, const struct sample *sums)
{
	if (d->n == 0)
		return;
	points_add(&d->points, row, sums);
	for (size_t i = 0; i < d->n; i++)
		send_points(&d->at[i], &d->points, false);
	points_clear(&d->points);
}

bool udp_senders_wait(struct udp_senders *d)
{
	bool wait = false;

	for (size_t i = 0; i < d->n; i++) {
		struct udp_sender *s = &d->at[i];

		if (s->fd < 0 && s->lookup)
			s->fd = name_lookup_socket(s->lookup, &s->trouble);
		wait = wait || (s->fd < 0 && s->lookup && name_lookup_goes_on(s->lookup));
	}
	return wait;
}

void udp_senders_end(struct udp_senders *d, const struct aggregate *totals, int64_t end_ns)
{
	points_add_totals(&d->points, totals, end_ns);
	for (size_t i = 0; i < d->n; i++)
		send_points(&d->at[i], &d->points, true);
	points_clear(&d->points);
}

void udp_senders_report(const struct udp_senders *d)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct udp_sender *s = &d->at[i];
		socklen_t size = sizeof(int);
		uint64_t refused = s->refused;
		int error = 0;
		struct why why;

		if (s->fd >= 0 && getsockopt(s->fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == ECONNREFUSED)
			refused++;
		if (refused > 0)
			remark((why_set(&why, 0, "%s: %llu datagrams or more are lost: nothing listens there", s->to.shown,
					(unsigned long long)refused), why.text));
		if (s->left_out > 0)
			remark((why_set(&why, 0, "%s: %llu values are left out, because a line of theirs is too long", s->to.shown,
					(unsigned long long)s->left_out), why.text));
		if (s->trouble.text[0])
			remark((why_set(&why, 0, "%s: not all values were sent: %s", s->to.shown, s->trouble.text), why.text));
	}
}

void udp_senders_close(struct udp_senders *d)
{
	for (size_t i = 0; i < d->n; i++) {
		struct udp_sender *s = &d->at[i];

		name_lookup_close(s->lookup);
		close_p(&s->fd);
		free(s->units);
		buffer_release(&s->text);
		destination_close(&s->to);
	}
	points_close(&d->points);
	d->n = 0;
}
