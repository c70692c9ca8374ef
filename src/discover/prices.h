/*
 * prices.h - prices of cloud servers from a public service, as the table that `recommend --servers` reads.
 *
 * The service is Spare Cores' (https://keeper.sparecores.net), or one with its interface: GET /server_prices.
 */
#ifndef RT_PRICES_H
#define RT_PRICES_H

#include "../core/buffer.h"
#include "../core/why.h"

struct prices_question {
	const char *service;                    /* URL without a path */
	const char *vendor, *region;            /* of this one alone; NULL: all */
	double cpus, memory_bytes, gpus, gpu_memory_bytes;      /* at least; 0: any */
};

extern const char PRICES_SERVICE[];

/*
 * Appends the cheapest offers on demand, 1,000 at most, with a comment that has the date.  It takes a minute at most;
 * proxies by the usual variables, no redirects, answers of at most 16 MiB.  -errno with a sentence.
 */
int prices_fetch(struct buffer *out, const struct prices_question *q, struct why *why) must_use;
/* Pure: appends the rows of an answer.  Returns the number of offers in it; -EBADMSG: it is not an answer. */
int prices_rows(struct buffer *out, const char *text, size_t n);

#endif
