/*
 * exits_link.h - hearing of each task of the machine that ends (exits_parse.h).
 *
 * The kernel tells it to who has CAP_NET_ADMIN, in the first user, PID and network namespaces.  Nothing here waits.
 * Whoever ends pays for it, some 3 us for each listener, and taking it costs us 1 us.
 */
#ifndef RT_EXITS_LINK_H
#define RT_EXITS_LINK_H

#include "../core/source.h"
#include "exits_parse.h"

enum { EXITS_BATCH = 8, EXITS_MESSAGE = 2048 };         /* 600 bytes, 1200 of the last of several threads */

struct exits_link {
	int fd;
	uint16_t family;
	bool listens;
	char cpus[EXIT_CPUS_SIZE];
	struct datagrams datagrams;
};

/* -errno: there is no such thing here, or it is not for us.  It does not listen yet. */
int  exits_open(struct exits_link **ret, const struct source *src) must_use;
void exits_close(struct exits_link *l);         /* NULL is fine */

/* A refusal comes as a message. */
int  exits_listen(struct exits_link *l, bool listen) must_use;
/* As datagrams_receive, up to EXITS_BATCH. */
int  exits_receive(struct exits_link *l) must_use;
/* The next message received: as exit_next. */
int  exits_next(struct exits_link *l, struct exit_message *ret) must_use;

#endif
