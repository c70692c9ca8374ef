/*
 * sockets_link.h - talking with the kernel's socket diagnostics: what is asked, listed and heard of.
 *
 * Nothing here waits: an answer is there when the question has been sent.
 */
#ifndef RT_SOCKETS_LINK_H
#define RT_SOCKETS_LINK_H

#include "../core/source.h"
#include "sockets_parse.h"

enum { LINK_BATCH = DATAGRAMS_MAX };

struct socket_link {
	int    ask;                             /* questions about single sockets */
	int    list;                            /* a list in the making, which may take several looks; -1: none */
	int    closes;                          /* tells of closed sockets; -1: it does not */
	struct datagrams datagrams;
};

int  link_open(struct socket_link **ret, const struct source *src) must_use;
void link_close(struct socket_link *l);         /* NULL is fine */

/* Up to LINK_BATCH questions, each of which gets one answer with its seq. */
int  link_ask(struct socket_link *l, const struct diag_request *requests, size_t n) must_use;
/* Begins a list of all sockets of a family (link->list). */
int  link_list(struct socket_link *l, const struct source *src, uint8_t family) must_use;
/* As datagrams_receive, at one of the descriptors: up to LINK_BATCH, one of a list. */
int  link_receive(struct socket_link *l, int fd) must_use;
/* The next message received: as diag_next. */
int  link_next(struct socket_link *l, struct diag_message *ret) must_use;

#endif
