/* socket_closes.c - whether the kernel still has to report closes of TCP connections. */
#include "socket_closes.h"

static const int64_t LOST_NS = 2 * NS_PER_SECOND;       /* without any report: what is missing will not come */

void socket_closes_begin(struct socket_closes *c, const struct tcp_counts *now, int64_t now_ns)
{
	*c = (struct socket_closes){ .from = *now, .reported_ns = now_ns };
}

void socket_closes_add(struct socket_closes *c, const struct diag_message *m, int64_t now_ns)
{
	c->reported_ns = now_ns;
	if (m->id.idiag_dport == 0)
		c->unconnected++;
	else if (m->received + m->sent > 0)
		c->carried++;
	else
		c->empty++;
}

/*
 * An attempt that failed is an empty socket if connect() did not wait for its failure, else an unconnected one.  As
 * many of those as there can have been are reports of attempts; the others are of sockets that never connected.
 */
static uint64_t failed_unconnected(const struct socket_closes *c, const struct tcp_counts *now)
{
	uint64_t failed = now->fails - c->from.fails;
	uint64_t left = failed > c->empty ? failed - c->empty : 0;

	return left < c->unconnected ? left : c->unconnected;
}

int64_t socket_closes_missing(const struct socket_closes *c, const struct tcp_counts *now)
{
	uint64_t closed = c->from.open + (now->opens - c->from.opens) - now->open;

	return (int64_t)(closed - c->carried - c->empty - failed_unconnected(c, now));
}

void socket_closes_settle(struct socket_closes *c, const struct tcp_counts *now, int64_t now_ns)
{
	if (socket_closes_missing(c, now) < 0 || now_ns - c->reported_ns >= LOST_NS)
		socket_closes_begin(c, now, now_ns);
}
