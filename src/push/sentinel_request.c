/* sentinel_request.c - the requests to the service Sentinel and to the store that has its rows. */
#include "sentinel_request.h"

#include <stdio.h>
#include <string.h>

#include "sentinel_body.h"
#include "store_request.h"

static const char STORE_URL[] = "SENTINEL_S3_URL", SCHEME[] = "s3://";
static const long STALL_SECONDS = 30;

const char *sentinel_token(void)
{
	const char *text = getenv("SENTINEL_API_TOKEN");

	for (const char *at = text; at && *at; at++)
		if (*at <= ' ' || *at > '~')
			return "";
	return text ? text : "";
}

/* NULL: that of AWS. */
static const char *store_url(void)
{
	const char *url = getenv(STORE_URL);

	return url && *url ? url : NULL;
}

const char *sentinel_usual_region(void)
{
	return store_url() ? "us-east-1" : "eu-central-1";
}

int sentinel_ask(struct http_request **ret, struct http *h, const struct destination *d, const char *path,
		 const char *body, size_t n, struct why *why)
{
	/* A header without a value is not sent: libcurl would add one of its own. */
	const char *headers[] = { NULL, n > 0 ? "Content-Type: application/json" : "Content-Type:", NULL };
	struct push_form form = { .word = d->form->word, .headers = headers };
	struct buffer url = { 0 }, bearer = { 0 };
	struct http_request *request = NULL;
	struct destination to = *d;
	int r;

	buffer_format(&url, "%s%s", d->url, path);
	buffer_char(&url, '\0');
	buffer_format(&bearer, "Authorization: Bearer %s", sentinel_token());
	buffer_char(&bearer, '\0');
	headers[0] = bearer.at;
	to.form = &form;
	to.url = url.at;
	r = url.failed || bearer.failed ? why_set(why, -ENOMEM, "out of memory") :
					  destination_request_open(&request, h, &to, why);
	if (r == 0 && (r = http_request_start(request, body, n)) < 0)
		(void)why_set(why, r, "out of memory");
	if (r == 0)
		*ret = request;
	else
		http_request_close(request);
	if (bearer.at)
		explicit_bzero(bearer.at, bearer.len);
	buffer_release(&bearer);
	buffer_release(&url);
	return r;
}

/* ---- the store --------------------------------------------------------------------------------- */

static int find_bucket(struct bucket *ret, const char *place, const char *region, struct why *why)
{
	const struct store_place store = {
		.url = store_url(), .url_name = STORE_URL, .region = region, .region_name = "what the store names",
	};

	return bucket_in(ret, place, "the service", &store, why);
}

/* With certificates alone: headers of the user's are for the service. */
static struct destination for_store(const struct destination *d)
{
	static const char *const headers[] = { NULL };
	static const struct push_form form = { .word = "s3", .headers = headers };
	struct destination to = *d;

	to.form = &form;
	to.headers = NULL;
	return to;
}

static int send(struct http_request **ret, struct http_request *request, const char *method, const char *body, size_t n,
		struct why *why)
{
	int r = http_request_send(request, method, body, n, STALL_SECONDS);

	if (r < 0) {
		http_request_close(request);
		return why_set(why, r, "out of memory");
	}
	*ret = request;
	return 0;
}

int sentinel_ask_region(struct http_request **ret, struct http *h, const struct destination *d,
			const struct sentinel_run *run, struct why *why)
{
	struct destination to = for_store(d);
	struct http_request *request;
	struct buffer url = { 0 };
	struct bucket bucket;
	char place[sizeof run->place];
	int r;

	(void)snprintf(place, sizeof place, "%s", run->place);
	if (strlen(place) > strlen(SCHEME))
		place[strlen(SCHEME) + strcspn(place + strlen(SCHEME), "/")] = '\0';
	r = find_bucket(&bucket, place, sentinel_usual_region(), why);
	if (r < 0)
		return r;
	buffer_format(&url, "%s%s", bucket.origin, bucket.path);
	buffer_char(&url, '\0');
	to.url = url.at;
	r = url.failed ? why_set(why, -ENOMEM, "out of memory") : destination_request_open(&request, h, &to, why);
	if (r == 0)
		r = send(ret, request, "HEAD", "", 0, why);
	buffer_release(&url);
	return r;
}

int sentinel_put(struct http_request **ret, struct bucket *ret_bucket, struct http *h, const struct destination *d,
		 const struct sentinel_object *o, struct why *why)
{
	struct destination to = for_store(d);
	struct store_request q = {
		.bucket = ret_bucket, .keys = o->keys, .files = &to, .method = "PUT", .type = "application/gzip",
		.body = o->body, .n = o->n,
	};
	struct http_request *request;
	struct buffer path = { 0 };
	int r = find_bucket(ret_bucket, o->run->place, o->region, why);

	if (r < 0)
		return r;
	buffer_text(&path, ret_bucket->path);
	sentinel_write_name(&path, o->run, o->number);
	buffer_char(&path, '\0');
	q.path = path.at;
	sha256_text(q.hash, q.body, q.n);
	r = path.failed ? why_set(why, -ENOMEM, "out of memory") : store_request_open(&request, h, &q, why);
	if (r == 0)
		r = send(ret, request, "PUT", q.body, q.n, why);
	buffer_release(&path);
	return r;
}
