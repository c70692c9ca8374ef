/* page_client.h - one browser's connection: its request, and what it has still to take.  It never blocks. */
#ifndef RT_PAGE_CLIENT_H
#define RT_PAGE_CLIENT_H

#include "../core/buffer.h"
#include "http_request.h"

struct page_client {
	int    fd;                              /* -1: this place is free */
	char   request[HTTP_REQUEST_SIZE];
	size_t n_request;
	struct buffer out;
	size_t sent;                            /* of `out` */
	int64_t moved_ns;                       /* when it last sent or took something */
	uint64_t version;                       /* of the data that it was sent last */
	bool   follows;                         /* it gets events */
	bool   last;                            /* closed when it has taken `out` */
};

void page_client_open(struct page_client *c, int fd, int64_t now_ns);
void page_client_close(struct page_client *c);

/* What it asks for, as far as it has said; HTTP_MORE: nothing yet.  -errno: it is gone. */
int  page_client_read(struct page_client *c, int64_t now_ns, const char *token, const char *own);
/* Sends as much as it takes.  -errno: it is gone. */
int  page_client_send(struct page_client *c, int64_t now_ns);

static inline bool page_client_owes(const struct page_client *c) { return c->sent < c->out.len; }

#endif
