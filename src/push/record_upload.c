/* record_upload.c - from a record to an object in a store. */
#include "record_upload.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../analysis/answer.h"
#include "../history/past_run.h"
#include "../store/store_error.h"
#include "../text/shown.h"
#include "gzip.h"
#include "http.h"

/* A record has at most 64 MiB; one of these in memory is no burden. */
static const off_t RECORD_MOST = 1 << 30;
static const double STALL_SECONDS = 30;

struct object {
	const struct upload_options *options;
	const struct bucket *bucket;
	struct buffer path, url;                /* not encoded; encoded: both terminated */
	const struct buffer *body;
	char hash[SHA256_TEXT];
};

/* ---- the record -------------------------------------------------------------------------------- */

static int check_over(const char *path, struct why *why)
{
	struct arena arena = { 0 };
	struct past_run run;
	int r = past_run_read(&run, &arena, path);

	if (r < 0)
		r = why_set(why, r, "out of memory");
	else if (run.state == STATE_UNREADABLE)
		r = why_set(why, -EBADMSG, "%s", run.problem);
	else if (run.state == STATE_RUNNING)
		r = why_set(why, -EBUSY, "%s: the run still goes on; its record is uploaded when it is over", show_path(path).text);
	arena_release(&arena);
	return r;
}

static int read_whole(struct buffer *out, int fd)
{
	struct stat about;
	ssize_t n;

	if (fd < 0 || fstat(fd, &about) < 0)
		return -errno;
	if (!S_ISREG(about.st_mode))
		return -EINVAL;
	if (about.st_size > RECORD_MOST)
		return -EFBIG;
	do {
		if (!buffer_reserve(out, 64 << 10))
			return -ENOMEM;
		n = read(fd, out->at + out->len, out->size - out->len);
		if (n < 0 && errno != EINTR)
			return -errno;
		out->len += n > 0 ? (size_t)n : 0;
	} while (n != 0 && out->len <= (size_t)RECORD_MOST);
	return n == 0 ? 0 : -EFBIG;
}

static int compress(struct buffer *out, const char *path, struct why *why)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct buffer text = { 0 };
	int r = read_whole(&text, fd);

	if (r == 0)
		gzip_write(out, text.at, text.len);
	buffer_release(&text);
	if (r == 0 && out->failed)
		r = -ENOMEM;
	return r < 0 ? why_set(why, r, "%s: %s", show_path(path).text, strerror(-r)) : 0;
}

/* ---- a request --------------------------------------------------------------------------------- */

static int name_object(struct object *o, const char *path, struct why *why)
{
	const char *slash = strrchr(path, '/');

	buffer_format(&o->path, "%s%s.gz", o->bucket->path, slash ? slash + 1 : path);
	buffer_char(&o->path, '\0');
	buffer_text(&o->url, o->bucket->origin);
	if (!o->path.failed)
		sigv4_path(&o->url, o->path.at);
	buffer_char(&o->url, '\0');
	return o->path.failed || o->url.failed ? why_set(why, -ENOMEM, "out of memory") : 0;
}

static void add_line(struct buffer *out, const char *name, const char *value)
{
	buffer_format(out, "%s: %s", name, value);
	buffer_char(out, '\0');
}

/* Signed anew for each attempt: a signature is good for 15 minutes. */
static int open_request(struct http_request **ret, struct http *h, const struct object *o, struct why *why)
{
	enum { FIXED = 2, LINES = 6 };
	const struct sigv4_pair fixed[FIXED] = { { "content-type", "application/gzip" }, { "x-amz-content-sha256", o->hash } };
	const struct sigv4_keys keys = credentials_keys(&o->options->keys);
	const char *headers[LINES + 1] = { NULL };
	struct buffer lines[LINES] = { { 0 } }, authorization = { 0 };
	char when[SIGV4_TIME_SIZE];
	int64_t now = time(NULL);
	size_t n = 0;
	int r = 0;

	sigv4_sign(&authorization, &(struct sigv4_request){
		.method = "PUT", .host = bucket_host(o->bucket), .path = o->path.at, .headers = fixed, .n_headers = FIXED,
		.payload_sha256 = o->hash, .region = o->bucket->region, .service = "s3", .unix_seconds = now,
	}, &keys);
	buffer_char(&authorization, '\0');
	sigv4_time(when, now);
	add_line(&lines[n++], "Host", bucket_host(o->bucket));
	add_line(&lines[n++], "Authorization", authorization.failed ? "" : authorization.at);
	add_line(&lines[n++], "x-amz-date", when);
	for (size_t i = 0; i < FIXED; i++)
		add_line(&lines[n++], fixed[i].name, fixed[i].value);
	if (*keys.token)
		add_line(&lines[n++], "x-amz-security-token", keys.token);
	for (size_t i = 0; i < n; i++) {
		headers[i] = lines[i].at;
		r = lines[i].failed || authorization.failed ? -ENOMEM : r;
	}

	struct push_form form = { .word = "s3", .headers = headers };
	struct destination to = o->options->files;

	to.form = &form;
	to.url = o->url.at;

	if (r < 0)
		(void)why_set(why, r, "out of memory");
	else
		r = http_request_open(ret, h, &to, why);
	for (size_t i = 0; i < n; i++)
		buffer_release(&lines[i]);
	buffer_release(&authorization);
	return r;
}

/* ---- attempts ---------------------------------------------------------------------------------- */

/* The store's code and message, and nothing else of its answer, which can repeat what was signed. */
static void add_store_error(struct buffer *out, const struct http_answer *a)
{
	struct store_error error;

	store_error_read(&error, a->body, a->n_body);
	for (size_t i = 0; i < 2; i++) {
		const char *text = i == 0 ? error.code : error.message;

		if (*text) {
			buffer_text(out, ": ");
			show_text(out, text, strlen(text), '?');
		}
	}
}

static void describe(struct why *ret, const struct bucket *b, const struct http_answer *a)
{
	const char *kind = a->web_page ? ", a web page, not a store" :
			   a->status >= 300 && a->status < 400 ? ", a redirect, which is not followed" : "";
	struct buffer error = { 0 };

	add_store_error(&error, a);
	buffer_char(&error, '\0');
	if (a->status == 0)
		(void)why_set(ret, 0, "%s: %s", b->shown, a->text);
	else
		(void)why_set(ret, 0, "%s: status %ld%s%s", b->shown, a->status, kind, error.failed ? "" : error.at);
	buffer_release(&error);
}

/* A redirect would be the same at the next attempt: the bucket is in another region, or a proxy wants a login. */
static enum verdict verdict_of(const struct http_answer *a)
{
	return a->status >= 300 && a->status < 400 ? REFUSED : http_verdict(a);
}

/* One attempt; *ret_trouble is set unless the verdict is ACCEPTED. */
static int attempt(enum verdict *ret, double *ret_asked, struct http *h, const struct object *o,
		   struct why *ret_trouble, struct why *why)
{
	const double stall = double_max(double_min(o->options->drain_seconds, STALL_SECONDS), 1);
	struct http_request *request;
	struct http_answer answer;
	int r = open_request(&request, h, o, why);

	if (r < 0)
		return r;
	r = http_request_put(request, o->body->at, o->body->len, (long)stall);
	if (r < 0)
		(void)why_set(why, r, "out of memory");
	while (r == 0 && !http_request_over(request, &answer))
		http_wait(h, NULL, 0, stall);
	if (r == 0) {
		*ret = verdict_of(&answer);
		*ret_asked = answer.retry_after_seconds;
		describe(ret_trouble, o->bucket, &answer);
	}
	http_request_close(request);
	return r;
}

static void announce(const struct upload_options *o, const struct why *trouble)
{
	struct why text;

	if (o->quiet)
		return;
	(void)why_set(&text, 0, "%s; trying again for %.0f s", trouble->text, o->drain_seconds);
	remark(text.text);
}

/* Repeats what can succeed later, until the time is over.  *ret_left: why the store did not take it, "" if it did. */
static int deliver(struct http *h, const struct object *o, struct why *ret_left, struct why *why)
{
	const double until = push_now() + o->options->drain_seconds;
	double asked = 0;

	for (unsigned failures = 1;; failures++) {
		enum verdict verdict = REFUSED;
		int r = attempt(&verdict, &asked, h, o, ret_left, why);
		double again = push_now() + http_pause_seconds(failures, asked);

		if (r < 0 || verdict == REFUSED)
			return r;
		if (verdict == ACCEPTED) {
			ret_left->text[0] = '\0';
			return 0;
		}
		if (again >= until)
			return 0;
		if (failures == 1)
			announce(o->options, ret_left);
		for (double now; (now = push_now()) < again;)
			http_wait(h, NULL, 0, again - now);
	}
}

static int upload_to(struct http *h, const struct upload_options *o, const struct bucket *to, const char *path,
		     const struct buffer *body, bool *ret_left, struct why *why)
{
	struct object object = { .options = o, .bucket = to, .body = body };
	struct why left = { "" }, text;
	int r = name_object(&object, path, why);

	sha256_text(object.hash, body->at, body->len);
	if (r == 0)
		r = deliver(h, &object, &left, why);
	if (r == 0 && left.text[0]) {
		(void)why_set(&text, 0, "the record is not uploaded: %s", left.text);
		remark(text.text);
		*ret_left = true;
	}
	buffer_release(&object.path);
	buffer_release(&object.url);
	return r;
}

int record_upload(const struct upload_options *o, const char *path, bool *ret_left, struct why *why)
{
	struct buffer body = { 0 };
	struct http *h = NULL;
	int r = 0;

	if (strcmp(path, "-") == 0)
		return why_set(why, -EINVAL, "a record on standard input has no name to be stored by; give a file or a run");
	r = check_over(path, why);
	if (r == 0)
		r = compress(&body, path, why);
	if (r == 0 && http_open(&h) < 0)
		r = why_set(why, -ENOMEM, "out of memory");
	for (size_t i = 0; r == 0 && i < o->n; i++)
		r = upload_to(h, o, &o->to[i], path, &body, ret_left, why);
	http_close(h);
	buffer_release(&body);
	return r;
}
