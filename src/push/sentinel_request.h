/*
 * sentinel_request.h - the requests to the service Sentinel and to the store that has its rows, started.
 *
 * All return -errno with a sentence; -EINVAL: the place that the service names is no bucket, or the region none.
 */
#ifndef RT_SENTINEL_REQUEST_H
#define RT_SENTINEL_REQUEST_H

#include "../store/bucket.h"
#include "destination.h"
#include "sentinel_answer.h"

/* SENTINEL_API_TOKEN; "": it is not set, or cannot be in a header. */
const char *sentinel_token(void);

/* POST with the token.  path: below the address of the service; without a body n is 0. */
int sentinel_ask(struct http_request **ret, struct http *h, const struct destination *d, const char *path,
		 const char *body, size_t n, struct why *why) must_use;
/*
 * The bucket's region is in the answer.  Unsigned: a store names it to everybody.
 */
int sentinel_ask_region(struct http_request **ret, struct http *h, const struct destination *d,
			const struct sentinel_run *run, struct why *why) must_use;
/* Of a store that does not name its region. */
const char *sentinel_usual_region(void);

struct sentinel_object {
	const struct sentinel_run *run;
	uint64_t number;                        /* from 0 on */
	const struct credentials *keys;
	const char *region, *body;
	size_t n;
};

/* ret_bucket: where it goes, for store_answer_read; it must outlive the request. */
int sentinel_put(struct http_request **ret, struct bucket *ret_bucket, struct http *h, const struct destination *d,
		 const struct sentinel_object *o, struct why *why) must_use;

#endif
