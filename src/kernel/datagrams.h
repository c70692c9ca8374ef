/*
 * datagrams.h - talking with the kernel over netlink: questions to it, and what it sends, several datagrams at a time.
 *
 * Nothing here waits: an answer is there when the question has been sent.
 */
#ifndef RT_DATAGRAMS_H
#define RT_DATAGRAMS_H

#include "../core/base.h"

enum { DATAGRAMS_MAX = 32, DATAGRAMS_BUFFER = 32 << 10 };

/* What is left of one, or a part of it: parsers take messages off its front, all of it when they do not understand. */
struct datagram_bytes { const unsigned char *at; size_t len; };

struct datagrams {
	size_t n, begun;                        /* received, and how many of them are taken or being taken */
	size_t len[DATAGRAMS_MAX], room;        /* their lengths, and their distance */
	struct datagram_bytes front;                  /* what is being taken */
	unsigned char buffer[DATAGRAMS_BUFFER];
};

/* There is nothing to be taken. */
void datagrams_clear(struct datagrams *d);
int  datagrams_send(int fd, const void *bytes, size_t len) must_use;
/*
 * Receives what waits, up to n datagrams of up to room bytes each, the rest of which is cut off; n is DATAGRAMS_MAX at
 * most, n * room DATAGRAMS_BUFFER.  What was received before is forgotten.  Their number; 0: nothing is there.
 * -ENOBUFS: the kernel had no room for some, which are lost; there may be more, as before.
 */
int  datagrams_receive(struct datagrams *d, int fd, size_t n, size_t room) must_use;
/* The datagram to take the next message off; NULL: all are taken. */
struct datagram_bytes *datagrams_front(struct datagrams *d);

#endif
