/*
 * sockets.h - the bytes that TCP connections of a process tree carried, without privilege.
 *
 * A socket belongs to a member if the member's /proc/PID/fd has it.  The kernel's socket diagnostics report its
 * counters, and send the last counters of each closed socket to all listeners.  The bytes of a socket count from when
 * it first belonged to a member: all of them, except for sockets that were open when the tree's process was found, or
 * that the command inherited.
 *
 *     sockets.c          one poll, and its report            sockets_members.c  finding sockets of members
 *     sockets_kernel.c   counters, lists, closed sockets     sockets_table.c    the sockets
 *     socket_budget.c    the CPU time for it                socket_closes.c    which closes are still to be reported
 *
 * Datagrams and messages are in kernel/sockets_link.h and kernel/sockets_parse.h.
 *
 * A poll costs one file while no connection is opened in our network namespace and none is known.  It is bounded to 1 %
 * of the time: the rest waits for the next poll.  Counters only grow, so nothing is lost by that.  Never seen are
 * connections that begin and end between two polls (process.net_unattributed_bytes is an upper bound of their bytes),
 * other protocols, and members in another network namespace.
 */
#ifndef RT_SOCKETS_H
#define RT_SOCKETS_H

#include "../core/sample.h"
#include "socket_tree.h"

struct sockets;

/* *ret: NULL if the source has no sockets of this machine (a captured one).  tree is copied.  -ENOMEM. */
int  sockets_open(struct sockets **ret, const struct socket_tree *tree) must_use;
void sockets_close(struct sockets *s);          /* NULL is fine, here and below */
/* Starts to listen for closed connections, and to count opened ones. */
void sockets_listen(struct sockets *s);
/* The member may have opened a socket. */
void sockets_member_ran(struct sockets *s, pid_t pid, struct socket_mark *mark);
bool sockets_are_quiet(struct sockets *s);      /* no member can have opened a connection since the last poll */
/* Sets process_net_*, where they are known.  What fails is a notice, and nothing is counted from then on. */
void sockets_read(struct sockets *s, const struct socket_pass *pass, struct totals *out);

#endif
