/*
 * socket_closes.h - whether the kernel still has to report closes of TCP connections of our network namespace.
 *
 * Its counts say how many connections were opened and are open, its reports which ones were closed.  A worker of the
 * kernel sends the reports, on a busy machine a fraction of a second later: a report may come in a later interval than
 * that of its close, so the difference is carried from poll to poll.
 */
#ifndef RT_SOCKET_CLOSES_H
#define RT_SOCKET_CLOSES_H

#include "../kernel/sockets_parse.h"

struct socket_closes {
	struct tcp_counts from;                 /* when the counting of reports began */
	int64_t  reported_ns;                   /* the last report, or the beginning; of CLOCK_MONOTONIC */
	/* Reports since then, of sockets with an address of another side: with data, and without any. */
	uint64_t carried, empty;
	uint64_t unconnected;                   /* and of those without: never connected, or refused */
};

void socket_closes_begin(struct socket_closes *c, const struct tcp_counts *now, int64_t now_ns);
void socket_closes_add(struct socket_closes *c, const struct diag_message *m, int64_t now_ns);
/*
 * How many reports are still to come if the counts are `now`, read after the last report was received.  Never too few
 * because of an attempt that failed: it counts as reported only if a report can be its own.  Below 0: reports of closes
 * from before the beginning.
 */
int64_t socket_closes_missing(const struct socket_closes *c, const struct tcp_counts *now);
/* At a poll: begins again after reports from before the beginning, and if those still missing will not come. */
void socket_closes_settle(struct socket_closes *c, const struct tcp_counts *now, int64_t now_ns);

#endif
