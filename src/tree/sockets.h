/*
 * sockets.h - what TCP connections of the tree carried, without privilege.
 *
 * A socket is a member's if it stands in the member's /proc/PID/fd; the kernel's socket diagnostics
 * tell its counters, and, to everybody who listens, the last counters of any socket that is closed.
 * Its bytes count from when it first was a member's: all of them, but for what was open already when
 * the tree's process was found, or came to the command with its descriptors.
 *
 *     sockets.c          one look, and what is reported      sockets_members.c  whose they are
 *     sockets_kernel.c   counters, lists, ends of sockets    sockets_table.c    the sockets
 *
 * Datagrams and messages are kernel/sockets_link.h's and kernel/sockets_parse.h's.
 *
 * A look costs one file while no connection is opened in our network namespace and none is known, and
 * is bounded to 1 % of the time: what does not fit waits for the next look.  Counters only grow, so
 * nothing is lost by that.  What is never seen: connections that begin and end between two looks (how
 * much they carried at most is told, process.net_unattributed_bytes), other protocols, and members in
 * another network namespace.
 */
#ifndef RT_SOCKETS_H
#define RT_SOCKETS_H

#include "../kernel/sockets_link.h"
#include "sockets_table.h"
#include "state.h"

enum { CLOSES_PER_SECOND = 1000, CLOSES_BURST = 4000 };

struct sockets {
	struct socket_table table;
	struct socket_link *link;               /* NULL: not needed so far */
	bool off;                               /* it cannot work here */
	bool deaf;                              /* ends of sockets are not told here, or are too many */

	pid_t *due;                             /* members that ran since they were looked at */
	size_t n_due, due_room;
	long due_from;                          /* where the descriptors of the first of them go on; 0: not begun */
	bool behind;                            /* some of them waited for a look in vain */
	char netns[32];                         /* our network namespace; "": not known */
	bool blind;                             /* the members looked at last may not be seen, or are elsewhere */
	bool denied;                            /* some member's descriptors may not be read */

	int      snmp;                          /* descriptor; -1: not open */
	int64_t  complete_ns;                   /* when what members had open was last known in full; 0: never */
	uint64_t opens;                         /* connections ever opened in our namespace, at the last look */
	bool     opens_known;
	uint64_t opened, ends;                  /* in our namespace since the last look: connections, and ends heard */
	uint32_t looks;
	bool     heard;                         /* nothing that closed since the last look went unheard */

	uint8_t  listing;                       /* family of the list in the making; 0: none */
	uint32_t listing_since;                 /* look in which it began */
	uint32_t cursor;                        /* row to be asked about next */
	int64_t  bucket_ns;                     /* CPU time that may be spent */
	int64_t  reserve_ns;                    /* of it, not on finding new ones */
	int64_t  filled_ns, mark_ns;            /* when it was filled; our CPU time when it was taken from last */
	int64_t  closes_allowed;

	uint64_t received, sent, unattributed;  /* since they were reported */
	bool     told_off, told_closes, told_lost, told_elsewhere, told_denied;
};

/* sockets_members.c */
void sockets_look_at_members(struct tree *t, struct sockets *s, bool opened);
void sockets_inherit(struct tree *t, struct sockets *s);        /* what came to us, and from us to the command */

/* sockets_kernel.c: those that return an error turn all off. */
int  sockets_list(struct tree *t, struct sockets *s, bool opened);      /* finds the addresses of new ones */
int  sockets_ask(struct tree *t, struct sockets *s);                    /* counters of those that are known */
void sockets_join(struct tree *t, struct sockets *s);
void sockets_hear(struct tree *t, struct sockets *s, double seconds);   /* last counters of those that ended */
bool sockets_all_found(const struct sockets *s);        /* nothing that members had at this look waits for a time */
bool sockets_some_missing(const struct sockets *s);     /* ended, and their last counters are on the way */

/* sockets.c */
void sockets_spend(struct sockets *s);          /* takes what was used since the last call from the bucket */

#endif
