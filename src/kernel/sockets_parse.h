/*
 * sockets_parse.h - the kernel's data about TCP sockets: messages of socket diagnostics (sock_diag(7),
 * linux/inet_diag.h), links of /proc/PID/fd, /proc/net/snmp.  Pure functions over bytes.
 */
#ifndef RT_SOCKETS_PARSE_H
#define RT_SOCKETS_PARSE_H

#include <linux/inet_diag.h>
#include <linux/netlink.h>

#include "datagrams.h"

/* As in include/net/tcp_states.h; netinet/tcp.h has them too, but conflicts with linux/tcp.h. */
enum { TCP_STATE_TIME_WAIT = 6, TCP_STATE_CLOSE = 7, TCP_STATE_LISTEN = 10, TCP_STATE_NEW_SYN_RECV = 12 };

enum diag_kind { DIAG_SOCKET, DIAG_ERROR, DIAG_DONE };

struct diag_message {
	enum diag_kind kind;
	uint32_t seq;                           /* of the request that it answers; 0: none, a multicast */
	int      error;                         /* DIAG_ERROR: -errno, or 0 */
	/* DIAG_SOCKET: */
	uint8_t  family, state;
	struct inet_diag_sockid id;             /* addresses and ports in network byte order */
	uint64_t cookie;                        /* unique while the machine is up */
	uint32_t inode;                         /* 0: not reported (of closed ones), or no file has it any more */
	bool     has_bytes;
	/*
	 * Payload: each byte once, however often it was sent.  Before Linux 4.19 the kernel does not report sent bytes:
	 * then the acknowledged ones.  The other side's FIN counts as a byte received.
	 */
	uint64_t received, sent;
	uint32_t age_ms;                        /* lower bound of its age: the time since it sent or got data */
};

/*
 * Takes the next message off the bytes of one recv.  1; 0 at the end; -EBADMSG: not a message, all is dropped.  *ret
 * means nothing after the last two.
 */
int diag_next(struct datagram_bytes *bytes, struct diag_message *ret) must_use;

struct diag_request {
	struct nlmsghdr header;
	struct inet_diag_req_v2 body;
};

/* Requests one socket with its counters, or (id NULL) all that can carry bytes or listen, without counters. */
struct diag_request diag_request(uint32_t seq, uint8_t family, const struct inet_diag_sockid *id);

/* Whether the socket has the port of a listener, and its address, if that is not any. */
bool same_port(const struct diag_message *m, uint8_t family, const struct inet_diag_sockid *listener);

/* "socket:[123]": 123; false: no such link. */
bool socket_link(uint32_t *ret_inode, const char *link, size_t n);
/*
 * Connections of a network namespace, in /proc/net/snmp (RFC 4022): opened by this side and by others (ActiveOpens and
 * PassiveOpens), those that were never established (AttemptFails), and how many are established now (CurrEstab).
 */
struct tcp_counts { uint64_t opens, fails, open; };

/* -EBADMSG: not that file; *ret is as it was then. */
int  tcp_counts_parse(struct tcp_counts *ret, const char *text, size_t n) must_use;

#endif
