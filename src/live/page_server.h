/*
 * page_server.h - serves a page that grows, to browsers of this machine: the page, and its data as Server-Sent Events.
 *
 * One thread, which waits for no client: what one does not take is left out until it has taken what it was sent, and
 * one that takes nothing, or asks nothing, is closed.  The number of clients is bounded.
 */
#ifndef RT_PAGE_SERVER_H
#define RT_PAGE_SERVER_H

#include "../core/buffer.h"
#include "../core/scan.h"
#include "../core/why.h"

struct page_server;

/* What is served.  Functions get `context`. */
struct page_source {
	/* The data, one line of JSON, empty at first.  1: new, 0: as before.  -errno with a sentence: no more */
	int  (*read)(void *context, struct buffer *data, struct why *why);
	/* Writes the whole page with these data. */
	void (*page)(void *context, struct buffer *out, const struct buffer *data);
	bool (*over)(void *context);            /* the data as read will not change any more */
	void *context;
};

/*
 * address: numeric, of the interface to listen at; port: 0 is any that is free.  -errno with a sentence: the address is
 * none, or in use.
 */
int  page_server_open(struct page_server **ret, const char *address, uint16_t port, struct why *why) must_use;
void page_server_close(struct page_server *s);          /* NULL is fine */

/* "http://127.0.0.1:40123/?token=..." */
void page_server_address(struct buffer *out, const struct page_server *s);

/*
 * Serves until the data are over and a browser has the last of them: 0.  -errno with a sentence: reading failed;
 * clients are sent the sentence.
 */
int  page_server_run(struct page_server *s, const struct page_source *source, struct why *why) must_use;

#endif
