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
 *     socket_budget.c    what it may cost
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

#include "../core/sample.h"
#include "socket_tree.h"

struct sockets;

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
