/* store_request.c - signed requests to a store. */
#include "store_request.h"

#include <string.h>
#include <time.h>

#include "../store/store_error.h"
#include "../text/shown.h"

/* ---- a request --------------------------------------------------------------------------------- */

enum { FIXED = 2, LINES = 6 };

/* Lines of headers, each terminated. */
struct lines { struct buffer at[LINES]; size_t n; bool failed; };

static void add_line(struct lines *to, const char *name, const char *value)
{
	struct buffer *line = &to->at[to->n++];

	buffer_format(line, "%s: %s", name, value);
	buffer_char(line, '\0');
	to->failed = to->failed || line->failed;
}

static void write_lines(struct lines *to, const struct store_request *q)
{
	const struct sigv4_pair fixed[FIXED] = { { "content-type", q->type }, { "x-amz-content-sha256", q->hash } };
	const struct sigv4_keys keys = credentials_keys(q->keys);
	struct buffer authorization = { 0 };
	char when[SIGV4_TIME_SIZE];
	int64_t now = time(NULL);

	sigv4_sign(&authorization, &(struct sigv4_request){
		.method = q->method, .host = bucket_host(q->bucket), .path = q->path, .headers = fixed,
		.n_headers = FIXED, .query = q->query, .n_query = q->n_query, .payload_sha256 = q->hash,
		.region = q->bucket->region, .service = "s3", .unix_seconds = now,
	}, &keys);
	buffer_char(&authorization, '\0');
	sigv4_time(when, now);
	add_line(to, "Host", bucket_host(q->bucket));
	add_line(to, "Authorization", authorization.failed ? "" : authorization.at);
	add_line(to, "x-amz-date", when);
	for (size_t i = 0; i < FIXED; i++)
		add_line(to, fixed[i].name, fixed[i].value);
	if (*keys.token)
		add_line(to, "x-amz-security-token", keys.token);
	to->failed = to->failed || authorization.failed;
	buffer_release(&authorization);
}

static void write_url(struct buffer *out, const struct store_request *q)
{
	buffer_text(out, q->bucket->origin);
	sigv4_path(out, q->path);
	if (q->n_query > 0)
		buffer_char(out, '?');
	sigv4_query(out, q->query, q->n_query);
	buffer_char(out, '\0');
}

int store_request_open(struct http_request **ret, struct http *h, const struct store_request *q, struct why *why)
{
	const char *headers[LINES + 1] = { NULL };
	struct http_peer to = destination_peer(q->files);
	struct lines lines = { .n = 0 };
	struct buffer url = { 0 };
	int r;

	write_lines(&lines, q);
	write_url(&url, q);
	for (size_t i = 0; i < lines.n; i++)
		headers[i] = lines.at[i].at;
	to.headers = headers;
	to.url = url.at;
	r = lines.failed || url.failed ? why_set(why, -ENOMEM, "out of memory") : http_request_open(ret, h, &to, why);
	for (size_t i = 0; i < lines.n; i++)
		buffer_release(&lines.at[i]);
	buffer_release(&url);
	return r;
}

/* ---- its answer -------------------------------------------------------------------------------- */

static void add_store_error(struct buffer *out, const struct store_error *error)
{
	const char *const texts[] = { error->code, error->message };

	for (size_t i = 0; i < countof(texts); i++)
		if (*texts[i]) {
			buffer_text(out, ": ");
			show_text(out, texts[i], strlen(texts[i]), '?');
		}
}

static void describe(struct why *ret, const struct bucket *b, const struct http_answer *a,
		     const struct store_error *error)
{
	const char *kind = a->web_page ? ", a web page, not a store" :
			   a->status >= 300 && a->status < 400 ? ", a redirect, which is not followed" : "";
	struct buffer text = { 0 };

	add_store_error(&text, error);
	buffer_char(&text, '\0');
	if (a->status == 0)
		(void)why_set(ret, 0, "%s: %s", b->shown, a->text);
	else
		(void)why_set(ret, 0, "%s: status %ld%s%s", b->shown, a->status, kind, text.failed ? "" : text.at);
	buffer_release(&text);
}

void store_answer_read(struct store_answer *ret, const struct bucket *b, const struct http_answer *a)
{
	struct store_error error;

	*ret = (struct store_answer){ .verdict = http_verdict(a), .asked_seconds = a->retry_after_seconds };
	/* It would be the same at the next attempt: the bucket is in another region, or a proxy wants a login. */
	if (a->status >= 300 && a->status < 400)
		ret->verdict = REFUSED;
	store_error_read(&error, a->body, a->n_body);
	/* S3 joins the parts of an object after it has sent its status: a failure is in the answer alone. */
	if (ret->verdict == ACCEPTED && error.code[0])
		ret->verdict = LATER;
	if (ret->verdict != ACCEPTED)
		describe(&ret->trouble, b, a, &error);
	memcpy(ret->etag, a->etag, sizeof ret->etag);
	store_element_read(ret->upload_id, sizeof ret->upload_id, a->body, a->n_body, "<UploadId>");
}
