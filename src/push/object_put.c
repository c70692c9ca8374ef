/*
 * object_put.c - objects into a store: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 *
 * For parts CreateMultipartUpload, UploadPart, CompleteMultipartUpload and AbortMultipartUpload, described beside it.
 */
#include "object_put.h"

#include <stdio.h>
#include <string.h>

#include "../analysis/answer.h"
#include "push_clock.h"

enum { PARTS_MAX = 10000, QUERY_MAX = 2 };

/* ---- attempts ---------------------------------------------------------------------------------- */

/* Waits for an answer, the signal, or `until`. */
static void wait_for(struct attempts *a, double until)
{
	struct pollfd signals = { .fd = a->signals, .events = POLLIN };

	http_wait(a->http, &signals, a->signals >= 0, double_max(until - push_now(), 0));
	a->stopped = a->stopped || signals.revents != 0;
}

static int attempt(struct store_answer *ret, struct attempts *a, const struct store_request *q, struct why *why)
{
	struct http_request *request;
	struct http_answer answer;
	bool over = false;
	int r = store_request_open(&request, a->http, q, why);

	if (r < 0)
		return r;
	r = http_request_send(request, q->method, q->body, q->n, (long)a->stall_seconds);
	if (r < 0)
		(void)why_set(why, r, "out of memory");
	while (r == 0 && !(over = http_request_over(request, &answer)) && !a->stopped)
		wait_for(a, push_now() + a->stall_seconds);
	if (over) {
		store_answer_read(ret, q->bucket, &answer);
	} else if (r == 0) {
		*ret = (struct store_answer){ .verdict = LATER };
		(void)why_set(&ret->trouble, 0, "%s: it was ended before the store answered", q->bucket->shown);
	}
	http_request_close(request);
	return r;
}

static void announce(struct attempts *a, const struct why *trouble)
{
	struct why text;

	if (a->quiet)
		return;
	(void)why_set(&text, 0, "%s; trying again for %.0f s", trouble->text, double_max(a->until - push_now(), 0));
	remark(text.text);
	a->quiet = true;                        /* once is enough */
}

/* Repeats what can succeed later, until the time is over.  ret->verdict: of the last attempt. */
static int deliver(struct store_answer *ret, struct attempts *a, const struct store_request *q, struct why *why)
{
	for (unsigned failures = 1;; failures++) {
		int r = attempt(ret, a, q, why);
		double again;

		if (r < 0 || ret->verdict != LATER || a->stopped)
			return r;
		again = push_now() + http_pause_seconds(failures, ret->asked_seconds);
		if (again >= a->until)
			return 0;
		if (failures == 1)
			announce(a, &ret->trouble);
		while (!a->stopped && push_now() < again)
			wait_for(a, again);
		if (a->stopped)
			return 0;
	}
}

/* ---- an object --------------------------------------------------------------------------------- */

/* The request for all of it, but for method, query and body. */
static struct store_request request_for(const struct object *o, const char *path)
{
	return (struct store_request){ .bucket = o->bucket, .keys = o->keys, .files = o->files, .path = path,
				       .type = "application/gzip" };
}

/* One request of several; its trouble, if there is any, goes into *ret_left.  Whether the next one can follow. */
static bool step(struct store_answer *ret, struct attempts *a, struct store_request *q, struct why *ret_left, int *r,
		 struct why *why)
{
	sha256_text(q->hash, q->body, q->n);
	*r = deliver(ret, a, q, why);
	if (*r == 0 && ret->verdict != ACCEPTED)
		*ret_left = ret->trouble;
	return *r == 0 && ret->verdict == ACCEPTED;
}

static bool put_parts(const struct object *o, struct attempts *a, struct store_request q, struct buffer *list,
		      struct why *ret_left, int *r, struct why *why)
{
	const size_t most = size_max(o->part_bytes, o->n / PARTS_MAX + 1);
	struct store_answer answer;
	char number[24];
	const struct sigv4_pair query[QUERY_MAX] = { { "partNumber", number }, q.query[0] };

	q.method = "PUT";
	q.query = query;
	q.n_query = QUERY_MAX;
	buffer_text(list, "<CompleteMultipartUpload>");
	for (size_t at = 0, part = 1; at < o->n; at += q.n, part++) {
		(void)snprintf(number, sizeof number, "%zu", part);
		q.body = o->body + at;
		q.n = size_min(most, o->n - at);
		if (!step(&answer, a, &q, ret_left, r, why))
			return false;
		if (!answer.etag[0])
			return (void)why_set(ret_left, 0, "%s: the store does not name a part by its ETag", o->bucket->shown), false;
		buffer_format(list, "<Part><PartNumber>%s</PartNumber><ETag>%s</ETag></Part>", number, answer.etag);
	}
	buffer_text(list, "</CompleteMultipartUpload>");
	if (list->failed)
		*r = why_set(why, -ENOMEM, "out of memory");
	return !list->failed;
}

static int put_in_parts(const struct object *o, struct attempts *a, const char *path, struct why *ret_left,
			struct why *why)
{
	struct store_request q = request_for(o, path);
	const struct sigv4_pair begin = { "uploads", "" };
	struct store_answer answer, last;
	struct buffer list = { 0 };
	int r;

	q.method = "POST";
	q.query = &begin;
	q.n_query = 1;
	q.body = "";
	if (!step(&answer, a, &q, ret_left, &r, why))
		return r;
	if (!answer.upload_id[0])
		return why_set(ret_left, 0, "%s: the store takes no object in parts", o->bucket->shown);

	const struct sigv4_pair upload = { "uploadId", answer.upload_id };
	bool whole;

	q.query = &upload;
	whole = put_parts(o, a, q, &list, ret_left, &r, why);
	q.type = "application/xml";
	q.body = list.at;
	q.n = list.len;
	whole = whole && step(&last, a, &q, ret_left, &r, why);
	if (!whole) {
		q.method = "DELETE";
		q.body = "";
		q.n = 0;
		sha256_text(q.hash, q.body, q.n);
		if (!a->stopped)
			(void)!attempt(&last, a, &q, &(struct why){ "" });
	}
	buffer_release(&list);
	return r;
}

int object_put(const struct object *o, struct attempts *a, struct why *ret_left, struct why *why)
{
	struct buffer path = { 0 };
	struct store_answer answer;
	int r = 0;

	ret_left->text[0] = '\0';
	buffer_format(&path, "%s%s", o->bucket->path, o->name);
	buffer_char(&path, '\0');
	if (path.failed) {
		r = why_set(why, -ENOMEM, "out of memory");
	} else if (o->n > o->part_bytes) {
		r = put_in_parts(o, a, path.at, ret_left, why);
	} else {
		struct store_request q = request_for(o, path.at);

		q.method = "PUT";
		q.body = o->body;
		q.n = o->n;
		(void)step(&answer, a, &q, ret_left, &r, why);
	}
	buffer_release(&path);
	return r;
}
