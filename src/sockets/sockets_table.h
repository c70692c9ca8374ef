/*
 * sockets_table.h - the sockets that members of the tree have, or had: by inode, and by cookie.
 *
 * A row is named by its number, which is constant until the row is removed.  Memory is allocated only to grow.  Rows
 * that only note a socket of no interest are dropped first.
 */
#ifndef RT_SOCKETS_TABLE_H
#define RT_SOCKETS_TABLE_H

#include "../kernel/sockets_parse.h"

enum socket_kind {
	SOCKET_FREE,                            /* no row */
	SOCKET_OTHER,                           /* not a TCP socket: a note */
	SOCKET_UNRESOLVED,                      /* TCP, but its addresses are unknown, or it has none yet */
	SOCKET_LISTENS,
	SOCKET_CONNECTED,
};

struct socket_row {
	enum socket_kind kind;
	uint8_t  family;
	bool     before;                        /* it may have carried bytes that are not the tree's */
	bool     counted;                       /* received and sent are the kernel's last counters */
	uint8_t  missing;                       /* how often the kernel did not find it */
	uint32_t since;                         /* poll in which it was found */
	uint32_t inode;
	uint64_t cookie;                        /* of a socket that listens or is connected */
	struct inet_diag_sockid id;
	uint64_t received, sent;
	uint32_t next_inode, next_cookie;       /* in their chains */
};

struct socket_table {                           /* zeroed: empty */
	struct socket_row *row;                 /* [0] is never used */
	uint32_t *inode, *cookie;               /* heads of chains; buckets is a power of two */
	uint32_t room, buckets;
	uint32_t n;                             /* rows from n on were never used */
	uint32_t free;                          /* chained by next_inode */
	uint32_t count[SOCKET_CONNECTED + 1];   /* of each kind */
};

/* The number of the row; 0: there is none. */
uint32_t socket_find(const struct socket_table *t, uint32_t inode);
uint32_t socket_find_cookie(const struct socket_table *t, uint64_t cookie);
/* Adds a row of kind SOCKET_OTHER or SOCKET_UNRESOLVED; the inode has none.  0: out of memory. */
uint32_t socket_add(struct socket_table *t, uint32_t inode, enum socket_kind kind);
/* The kernel reported the addresses of an unresolved row. */
void socket_resolve(struct socket_table *t, uint32_t number, enum socket_kind kind, const struct diag_message *m);
void socket_remove(struct socket_table *t, uint32_t number);
void socket_table_release(struct socket_table *t);

#endif
