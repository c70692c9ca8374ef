/*
 * sockets_link.h - the kernel's socket diagnostics: requests, lists, and reports of closed sockets.
 *
 * Nothing here waits: the answer is ready when the request has been sent.
 */
#ifndef RT_SOCKETS_LINK_H
#define RT_SOCKETS_LINK_H

#include "../core/source.h"
#include "sockets_parse.h"

enum { LINK_BATCH = DATAGRAMS_MAX };

struct socket_link {
	int    ask;                             /* requests about single sockets */
	int    list;                            /* a list in progress, which can take several polls; -1: none */
	int    closes;                          /* reports closed sockets; -1: not open */
	struct datagrams datagrams;
};

/* -errno of src->socket_diag, or -ENOMEM.  Without `closes`, which the caller opens, and link_close closes. */
int  link_open(struct socket_link **ret, const struct source *src) must_use;
void link_close(struct socket_link *l);         /* NULL is fine */

/* Up to LINK_BATCH requests; each gets one answer with its seq.  -errno, as the next two: of send(2), recvmmsg(2). */
int  link_ask(struct socket_link *l, const struct diag_request *requests, size_t n) must_use;
/* Begins a list of all sockets of a family in l->list, which must be -1; the caller closes it when the list is done. */
int  link_list(struct socket_link *l, const struct source *src, uint8_t family) must_use;
/* As datagrams_receive, from one of the descriptors: up to LINK_BATCH datagrams, one for a list. */
int  link_receive(struct socket_link *l, int fd) must_use;
/* The next message received: as diag_next. */
int  link_next(struct socket_link *l, struct diag_message *ret) must_use;

#endif
