/* sockets_look.h - what the files of this room share: all that is known of the tree's sockets between two looks. */
#ifndef RT_SOCKETS_LOOK_H
#define RT_SOCKETS_LOOK_H

#include "../kernel/sockets_link.h"
#include "socket_budget.h"
#include "socket_tree.h"
#include "sockets_table.h"

enum { CLOSES_PER_SECOND = 1000, CLOSES_BURST = 4000 };

struct sockets {
	struct socket_tree tree;
	struct socket_pass pass;                /* the look in the making */
	struct socket_table table;
	struct socket_link *link;               /* NULL: not needed so far */
	bool off;                               /* it cannot work here */
	bool deaf;                              /* ends of sockets are not told here, or are too many */

	struct {                                /* members that ran since they were looked at */
		pid_t *pid;
		size_t n, room;
		long from;                      /* where the descriptors of the first of them go on; 0: not begun */
		bool behind;                    /* some of them waited for a look in vain */
	} due;
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
	struct socket_budget budget;
	int64_t  closes_allowed;

	uint64_t received, sent, unattributed;  /* since they were reported */
	struct { bool off, closes, lost, elsewhere, denied; } noticed;
};

/* sockets_members.c */
void sockets_look_at_members(struct sockets *s, bool opened);
void sockets_inherit(struct sockets *s);        /* what came to us, and from us to the command */

/* sockets_kernel.c: those that return an error turn all off. */
int  sockets_list(struct sockets *s, bool opened);      /* finds the addresses of new ones */
int  sockets_ask(struct sockets *s);                    /* counters of those that are known */
void sockets_join(struct sockets *s);
void sockets_hear(struct sockets *s, double seconds);   /* last counters of those that ended */
bool sockets_all_found(const struct sockets *s);        /* nothing that members had at this look waits for a time */
bool sockets_some_missing(const struct sockets *s);     /* ended, and their last counters are on the way */

#endif
