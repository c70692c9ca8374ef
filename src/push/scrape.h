/*
 * scrape.h - an HTTP server for scrapers: GET /metrics, by IPv4 or IPv6, in the loop of the sender.
 *
 * It never waits: a connection that sends no request, or does not read its answer, is closed when a newer one needs
 * its place.  A request needs the token; where there is none, its Host must be the address itself or a name of the
 * loopback, so that a web page in a browser of this machine cannot ask.
 */
#ifndef RT_SCRAPE_H
#define RT_SCRAPE_H

#include <poll.h>

#include "points.h"
#include "../core/why.h"

enum { SCRAPERS_MAX = 8, SCRAPE_DESCRIPTORS = SCRAPERS_MAX + 1 };

struct scraper {
	int fd;                                 /* -1: none */
	char request[4096];
	size_t n_request;
	struct buffer answer;
	size_t sent;
};

struct scrape {
	int fd;                                 /* it listens; -1: not */
	char token[512];                        /* of `Authorization: Bearer`; "": none is needed */
	char host[48];                          /* the address that it listens at, in numbers */
	struct scraper at[SCRAPERS_MAX];
	size_t next;                            /* the place of the next one, if all are taken */
};

/*
 * address: [ADDRESS:]PORT (text/listen_address.h).  token_file: NULL: none.  -errno with a sentence; the server is
 * closed then.
 */
int  scrape_open(struct scrape *s, const char *address, const char *token_file, struct why *why) must_use;
void scrape_close(struct scrape *s);

/* Fills what is to be waited for; returns the number. */
size_t scrape_wanted(const struct scrape *s, struct pollfd ret[SCRAPE_DESCRIPTORS]);
/* Accepts, reads and answers. */
void scrape_go(struct scrape *s, const struct points *p);

#endif
