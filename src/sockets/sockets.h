/*
 * sockets.h - what TCP connections of a process tree carried, without privilege.
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

#include <sys/types.h>

#include "../core/notices.h"
#include "../core/sample.h"
#include "../core/source.h"

struct sockets;

/* Kept with each member for this room; zeros at its beginning. */
struct socket_mark {
	bool due : 1;                           /* ran since its descriptors were looked at */
	bool listed : 1;                        /* they were once */
	bool here : 1;                          /* in our network namespace */
};

/* A member as it is now. */
struct socket_owner {
	pid_t pid, speaker;                     /* speaker: the thread that tells of descriptors; 0: the main one */
	const char *name;
	bool  readable;                         /* it was read, and is no zombie */
	bool  fresh;                            /* it began under our eyes: all that it has is the tree's */
	struct socket_mark *mark;
};

/* What this room asks of the tree.  All of it outlives the sockets. */
struct socket_tree {
	const struct source *src;
	struct notices *notices;
	struct text *text;                      /* room to read a file into */
	void *tree;
	bool (*find)(void *tree, pid_t pid, struct socket_owner *ret);  /* false: it is no member any more */
	bool (*is_ending)(void *tree, pid_t pid);       /* a member: or has ended; reads its stat anew */
	bool ours;                              /* its root is our child, which inherited our descriptors */
	bool visible;                           /* /proc knows us: it can be told who is in our network namespace */
};

/* One look. */
struct socket_pass {
	int64_t  now_ns;
	unsigned slowdown;                      /* how many times less is earned (governor.h) */
	bool baseline;                          /* the first reading of the tree: nothing counts so far */
	bool over;                              /* no member lives */
	bool brief;                             /* there is no time to find new ones */
};

/* *ret: NULL where the machine's sockets are not to be asked for (a captured one).  -ENOMEM. */
int  sockets_open(struct sockets **ret, const struct socket_tree *tree) must_use;
void sockets_close(struct sockets *s);          /* NULL is fine, here and below */
/* From now on the ends of connections are listened to, and openings counted. */
void sockets_listen(struct sockets *s);
/* It may have opened something. */
void sockets_member_ran(struct sockets *s, pid_t pid, struct socket_mark *mark);
bool sockets_are_quiet(struct sockets *s);      /* no member can have opened a connection since the last look */
/* Sets process_net_*. */
void sockets_read(struct sockets *s, const struct socket_pass *pass, struct totals *out);

#endif
