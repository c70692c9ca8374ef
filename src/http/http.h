/*
 * http.h - requests to receivers, by libcurl, all in one thread: started, waited for together, and judged.
 *
 * Proxies are those of the usual variables (https_proxy, no_proxy ...).  A redirect is not followed, so no header
 * reaches another host.
 */
#ifndef RT_HTTP_H
#define RT_HTTP_H

#include <poll.h>

#include "../core/buffer.h"
#include "../core/why.h"

struct http;
struct http_request;

int  http_open(struct http **ret) must_use;     /* -ENOMEM */
void http_close(struct http *h);                /* after its requests; NULL is fine */
/* Waits until a request proceeds, one of the descriptors is ready, or the time is over. */
void http_wait(struct http *h, struct pollfd *fds, size_t n, double seconds);

/* Where requests go, and with what; all are copied.  Paths are NULL: none. */
struct http_peer {
	const char *url;
	const char *const *headers;             /* of each request, NULL-terminated; NULL: none */
	const char *header_file;                /* more of them, a line each: "Name: value" */
	const char *authorities, *certificate, *key;
};

/* A request that can be repeated.  -errno with a sentence that names the file and line of a wrong header. */
int  http_request_open(struct http_request **ret, struct http *h, const struct http_peer *p,
		       struct why *why) must_use;
void http_request_close(struct http_request *r);        /* NULL is fine */
/* Sends a POST; `body` must stay until http_request_over. */
int  http_request_start(struct http_request *r, const char *body, size_t n) must_use;
/*
 * The same by another method, also HEAD, to the path as it is.  It can take as long as bytes go on: one in
 * `stall_seconds`.
 */
int  http_request_send(struct http_request *r, const char *method, const char *body, size_t n,
		       long stall_seconds) must_use;
/* Answers are also appended to `whole`, which outlives the request.  It fails if that becomes longer than `most`. */
void http_request_keep(struct http_request *r, struct buffer *whole, size_t most);

struct http_answer {
	long status;                            /* 0: there was none */
	bool web_page;                          /* it is HTML: of a proxy or a login page, never of a receiver */
	double retry_after_seconds;             /* asked for by the receiver; 0: not */
	char text[160];                         /* the error, or the beginning of the answer; one line */
	const char *body;                       /* begin of the answer, until the request is started or closed */
	size_t n_body;
	char etag[160];                         /* of what a PUT stored, with its quotes; "": it was not sent */
	char region[64];                        /* of a bucket, by S3; "": it was not sent */
};

/* false: it goes on, or was not started. */
bool http_request_over(struct http_request *r, struct http_answer *ret);

/* ACCEPTED; LATER: the same can succeed later; REFUSED: the receiver will never take it. */
enum verdict { ACCEPTED, LATER, REFUSED };
enum verdict http_verdict(const struct http_answer *a);
/* Of one that is not ACCEPTED, a sentence.  shown: the receiver. */
void http_answer_describe(struct why *ret, const char *shown, const struct http_answer *a);
/*
 * The wait before a request is repeated after so many failures in a row, at least 1.  It doubles with each, up to a
 * minute, by a factor of 0.5 to 1.5: many senders do not come back together.  asked: Retry-After, obeyed up to an hour.
 */
double http_pause_seconds(unsigned failures, double asked);

#endif
