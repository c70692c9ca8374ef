/*
 * datagrams.h - netlink: requests to the kernel, and messages from it, several datagrams at a time.
 *
 * Nothing here waits: the answer is ready when the request has been sent.  netlink(7)
 */
#ifndef RT_DATAGRAMS_H
#define RT_DATAGRAMS_H

#include "../core/base.h"

enum { DATAGRAMS_MAX = 32, DATAGRAMS_BUFFER = 32 << 10 };

/* The unread rest of a datagram.  Parsers take messages off its front, and all of it if they do not understand. */
struct datagram_bytes { const unsigned char *at; size_t len; };

struct datagrams {                              /* datagrams_clear begins it */
	size_t n, begun;                        /* received; those of them that were read or are being read */
	size_t len[DATAGRAMS_MAX], room;        /* their lengths; their distance in the buffer */
	struct datagram_bytes front;                  /* the rest of the present one */
	unsigned char buffer[DATAGRAMS_BUFFER];
};

/* Drops all datagrams. */
void datagrams_clear(struct datagrams *d);
int  datagrams_send(int fd, const void *bytes, size_t len) must_use;    /* as one; 0, or -errno of send(2) */
/*
 * Receives waiting datagrams: up to n of up to room bytes each, the rest of longer ones is cut off; n is
 * DATAGRAMS_MAX at most, n * room DATAGRAMS_BUFFER.  Datagrams received before are dropped.  Returns their number; 0:
 * none waits.  -ENOBUFS: the kernel had no room for some, which are lost; others can still wait.  -errno: of recvmmsg.
 */
int  datagrams_receive(struct datagrams *d, int fd, size_t n, size_t room) must_use;
/* The datagram to take the next message off, valid until the next receive; NULL: all were read. */
struct datagram_bytes *datagrams_front(struct datagrams *d);

#endif
