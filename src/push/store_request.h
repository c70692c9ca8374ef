/* store_request.h - one signed request for an object of a store, and what its answer means. */
#ifndef RT_STORE_REQUEST_H
#define RT_STORE_REQUEST_H

#include "../store/bucket.h"
#include "../store/credentials.h"
#include "destination.h"

struct store_request {
	const struct bucket *bucket;
	const struct credentials *keys;
	const struct destination *files;        /* has certificates alone */
	const char *method, *path;              /* path: of the object, from the bucket's on, not encoded */
	const struct sigv4_pair *query;
	size_t n_query;
	const char *body, *type;                /* type: its Content-Type */
	size_t n;
	char hash[SHA256_TEXT];                 /* of the body */
};

/* To be started with the body; signed for now: a signature is good for 15 minutes.  -errno with a sentence. */
int  store_request_open(struct http_request **ret, struct http *h, const struct store_request *q,
			struct why *why) must_use;

struct store_answer {
	enum verdict verdict;
	double asked_seconds;                   /* Retry-After; 0: not */
	char etag[160], upload_id[1100];        /* "": not sent */
	struct why trouble;                     /* unless ACCEPTED: the store's code and message; the rest of its
						   answer can repeat what was signed */
};

void store_answer_read(struct store_answer *ret, const struct bucket *b, const struct http_answer *a);

#endif
