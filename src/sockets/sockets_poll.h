/*
 * sockets_poll.h - the state of the tree's sockets between two polls, internal to this room.
 *
 * sockets.c makes a poll: sockets_poll_members, sockets_list, sockets_receive, sockets_ask.  Counts are bytes and
 * connections, times ns of CLOCK_MONOTONIC.
 */
#ifndef RT_SOCKETS_POLL_H
#define RT_SOCKETS_POLL_H

#include "../kernel/sockets_link.h"
#include "../kernel/sockets_parse.h"
#include "socket_budget.h"
#include "socket_closes.h"
#include "socket_tree.h"
#include "sockets_table.h"

enum { CLOSES_PER_SECOND = 1000, CLOSES_BURST = 4000 };

struct sockets {
	struct socket_tree tree;
	struct socket_pass pass;                /* the present poll */
	struct socket_table table;
	struct socket_link *link;               /* NULL: not needed yet */
	bool off;                               /* it cannot work here */
	bool no_closes;                         /* closes are not reported here, or are too many */

	struct {                                /* members that ran since they were read */
		pid_t *pid;
		size_t n, room;
		long from;                      /* where to continue in the first one's descriptors; 0: not begun */
		bool behind;                    /* some of them were not reached at the last poll */
	} due;
	char netns[32];                         /* our network namespace; "": unknown */
	bool blind;                             /* the members read last are unreadable, or in another namespace */
	bool denied;                            /* reading the descriptors of some member is not allowed */

	int      snmp;                          /* descriptor; -1: not open */
	int64_t  complete_ns;                   /* when all open sockets of members were last known; 0: never */
	struct tcp_counts counts;               /* of our namespace, as last read; the last poll of all leaves them */
	bool     counts_known;
	uint64_t opened;                        /* connections of our namespace since then */
	struct socket_closes reports;           /* of closes in our namespace */
	bool     awaited;                       /* some were still to come at the last poll */
	uint32_t polls;
	bool     no_close_missed;               /* no close since the last poll was missed */

	uint8_t  listing;                       /* family of the list in progress; 0: none */
	uint32_t listing_since;                 /* poll in which it began */
	uint32_t cursor;                        /* next row to ask about */
	struct socket_budget budget;
	int64_t  closes_allowed;

	uint64_t received, sent, unattributed;  /* since the last report */
	struct { bool off, closes, lost, elsewhere, denied; } noticed;
};

/*
 * sockets_members.c: reads the descriptors of members that ran, and adds new sockets to the table.  opened: a process
 * in our namespace may have opened a connection since the last poll; else members are only taken off the list.
 */
void sockets_poll_members(struct sockets *s, bool opened);
void sockets_inherit(struct sockets *s);        /* sockets that we inherited and passed to the command */

/*
 * sockets_kernel.c; `link` is open.  They do as much as the budget allows, and go on at the next poll.  0, or -errno of
 * the netlink socket or of the kernel's answer: then the caller turns everything off.
 */
int  sockets_list(struct sockets *s, bool opened);      /* finds the addresses of new sockets */
int  sockets_ask(struct sockets *s);                    /* counters of known sockets */
void sockets_join(struct sockets *s);                   /* subscribes to closes; a refusal is a notice */
/* Last counters of closed sockets.  seconds: since the last poll, which allow CLOSES_PER_SECOND each. */
void sockets_receive(struct sockets *s, double seconds);
bool sockets_all_found(const struct sockets *s);        /* no socket of a member is left for a later poll */
bool sockets_some_missing(const struct sockets *s);     /* closed, and their last counters are still to come */

#endif
