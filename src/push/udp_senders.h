/*
 * udp_senders.h - a run to receivers by UDP (StatsD), row by row: no value has a time, so nothing is kept for later.
 *
 * Nothing here waits: names are looked up by threads, and what a socket does not take at once is not sent.  A counter
 * is sent as the difference to what was sent of it before, in whole units of its last digit: the sum of all is exact,
 * unless a datagram is lost on its way, and what could not be sent is in the next difference.
 */
#ifndef RT_UDP_SENDERS_H
#define RT_UDP_SENDERS_H

#include "destination.h"
#include "name_lookup.h"

/* Fits a packet of Ethernet with all its headers, so that none is cut. */
enum { DATAGRAM_BYTES = 1432, DATAGRAM_LINES = 64 };

struct udp_sender {
	struct destination to;
	struct name_lookup *lookup;             /* NULL: it could not be begun */
	int fd;                                 /* -1: it is not known yet where to */
	int64_t *units;                         /* by number of series: what was sent of a counter */
	size_t n_units;
	/* The datagram that is written: */
	struct buffer text;
	struct { size_t series; int64_t units; } line[DATAGRAM_LINES];
	size_t n_lines;
	/* Of this process: */
	uint64_t refused, left_out;             /* datagrams for which there was no receiver; lines that are too long */
	struct why trouble;                     /* why the newest datagram was not sent; "": it was */
};

struct udp_senders {
	struct points points;                   /* of the newest row */
	struct udp_sender at[PUSH_MAX];
	size_t n;
};

/* Takes the destinations over. */
void udp_senders_open(struct udp_senders *d, const struct destination *to, size_t n, const struct record_facts *facts);
/* As points_add. */
void udp_senders_row(struct udp_senders *d, const struct sample *row, const struct sample *sums);
/* Whether the end can still be sent: a name is being looked up. */
bool udp_senders_wait(struct udp_senders *d);
/* After the last row: sends what is left of all counters, with the totals of the run (NULL: unknown). */
void udp_senders_end(struct udp_senders *d, const struct aggregate *totals, int64_t end_ns);
/* Prints what was not sent. */
void udp_senders_report(const struct udp_senders *d);
void udp_senders_close(struct udp_senders *d);

#endif
