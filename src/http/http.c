/* http.c - requests to receivers. */
#include "http.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "../core/curl_http.h"
#include "../core/scan.h"

enum { HEADER_FILE_MOST = 64 << 10, DESCRIPTORS_MAX = 32 };
static const long CONNECT_MS = 10000, ANSWER_MS = 30000;
static const double PAUSE_LEAST = 0.5, PAUSE_MOST = 60, RETRY_AFTER_MOST = 3600;

struct http { CURLM *multi; };

struct http_request {
	struct http *http;
	CURL *easy;
	struct curl_slist *headers;
	bool going, ended;
	CURLcode code;                          /* of the one that ended */
	char error[CURL_ERROR_SIZE];
	char text[16384];                       /* beginning of the answer */
	size_t n_text;
	struct http_answer head;                /* what headers have said so far; the rest is empty */
	struct buffer *whole;                   /* NULL: the beginning is enough */
	size_t most;
};

int http_open(struct http **ret)
{
	struct http *h = calloc(1, sizeof *h);

	if (!h || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !(h->multi = curl_multi_init())) {
		free(h);
		return -ENOMEM;
	}
	*ret = h;
	return 0;
}

void http_close(struct http *h)
{
	if (h)
		(void)curl_multi_cleanup(h->multi);
	free(h);
}

void http_wait(struct http *h, struct pollfd *fds, size_t n, double seconds)
{
	struct curl_waitfd wait[DESCRIPTORS_MAX] = { { 0 } };
	int running;

	for (size_t i = 0; i < n && i < DESCRIPTORS_MAX; i++)
		wait[i] = (struct curl_waitfd){ .fd = fds[i].fd, .events = fds[i].events };
	(void)curl_multi_poll(h->multi, wait, (unsigned)n, (int)(double_min(seconds, 3600) * 1000) + 1, NULL);
	for (size_t i = 0; i < n && i < DESCRIPTORS_MAX; i++)
		fds[i].revents = wait[i].revents;
	(void)curl_multi_perform(h->multi, &running);
}

/* ---- a request --------------------------------------------------------------------------------- */

static size_t keep_text(char *bytes, size_t size, size_t n, void *context)
{
	struct http_request *r = context;
	size_t room = sizeof r->text - 1 - r->n_text;

	memcpy(r->text + r->n_text, bytes, size_min(room, size * n));
	r->n_text += size_min(room, size * n);
	if (!r->whole)
		return size * n;
	if (size * n > r->most - size_min(r->whole->len, r->most))
		return 0;
	buffer_bytes(r->whole, bytes, size * n);
	return r->whole->failed ? 0 : size * n;
}

void http_request_keep(struct http_request *r, struct buffer *whole, size_t most)
{
	r->whole = whole;
	r->most = most;
}

static void one_line(char *ret, size_t size, const char *text, size_t n)
{
	size_t length = size_min(n, size - 1);

	memcpy(ret, text, length);
	ret[length] = '\0';
	ret[strcspn(ret, "\r\n")] = '\0';
}

static const struct { const char *name; size_t offset, size; } kept_headers[] = {
#define KEPT(name, member) { name ":", offsetof(struct http_answer, member), sizeof ((struct http_answer *)NULL)->member }
	KEPT("ETag", etag), KEPT("x-amz-bucket-region", region),
#undef KEPT
};

/* Of each line of the answer's head.  Not by curl_easy_header, which libcurl has since 7.83. */
static size_t keep_header(char *line, size_t size, size_t n, void *context)
{
	struct http_request *r = context;

	for (size_t i = 0; i < countof(kept_headers); i++) {
		size_t name = strlen(kept_headers[i].name);
		struct scan s = scan_of(line, size * n);

		if (size * n < name || strncasecmp(line, kept_headers[i].name, name) != 0)
			continue;
		s.at += name;
		scan_blanks(&s);
		one_line((char *)&r->head + kept_headers[i].offset, kept_headers[i].size, s.at, (size_t)(s.end - s.at));
	}
	return size * n;
}

static int add_header(struct http_request *r, const char *line)
{
	struct curl_slist *more = curl_slist_append(r->headers, line);

	if (!more)
		return -ENOMEM;
	r->headers = more;
	return 0;
}

/* "Name: value"; empty lines and those that begin with # are skipped. */
static int add_header_line(struct http_request *r, const char *path, size_t number, struct word line, struct why *why)
{
	char text[4096];
	const char *colon = memchr(line.at, ':', line.len);

	if (line.len > 0 && line.at[line.len - 1] == '\r')
		line.len--;
	if (line.len == 0 || line.at[0] == '#')
		return 0;
	if (!colon || colon == line.at || !word_copy(line, text, sizeof text) || strlen(text) != line.len)
		return why_set(why, -EINVAL, "%s:%zu: this is not a header, such as 'Authorization: Bearer ...'", path, number);
	return add_header(r, text) < 0 ? why_set(why, -ENOMEM, "out of memory") : 0;
}

static int read_headers(struct http_request *r, const char *path, struct why *why)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	auto_free char *text = malloc(HEADER_FILE_MOST);
	ssize_t n = fd >= 0 && text ? read(fd, text, HEADER_FILE_MOST) : -1;

	if (n < 0)
		return why_set(why, -errno, "cannot read %s: %s", path, strerror(errno));

	struct scan s = scan_of(text, (size_t)n);
	struct word line;

	for (size_t number = 1; scan_line(&s, &line); number++) {
		int result = add_header_line(r, path, number, line, why);

		if (result < 0)
			return result;
	}
	return 0;
}

static void set_options(struct http_request *r, const struct http_peer *p)
{
	(void)curl_easy_setopt(r->easy, CURLOPT_URL, p->url);
	curl_http_only(r->easy);
	(void)curl_easy_setopt(r->easy, CURLOPT_FOLLOWLOCATION, 0L);
	(void)curl_easy_setopt(r->easy, CURLOPT_NOSIGNAL, 1L);
	/* A name server that hangs does not hold us up. */
	(void)curl_easy_setopt(r->easy, CURLOPT_QUICK_EXIT, 1L);
	(void)curl_easy_setopt(r->easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
	(void)curl_easy_setopt(r->easy, CURLOPT_TIMEOUT_MS, ANSWER_MS);
	(void)curl_easy_setopt(r->easy, CURLOPT_USERAGENT, "resource-tracker/" RT_VERSION);
	(void)curl_easy_setopt(r->easy, CURLOPT_HTTPHEADER, r->headers);
	(void)curl_easy_setopt(r->easy, CURLOPT_ERRORBUFFER, r->error);
	(void)curl_easy_setopt(r->easy, CURLOPT_WRITEFUNCTION, keep_text);
	(void)curl_easy_setopt(r->easy, CURLOPT_WRITEDATA, r);
	(void)curl_easy_setopt(r->easy, CURLOPT_HEADERFUNCTION, keep_header);
	(void)curl_easy_setopt(r->easy, CURLOPT_HEADERDATA, r);
	(void)curl_easy_setopt(r->easy, CURLOPT_PRIVATE, r);
	if (p->authorities)
		(void)curl_easy_setopt(r->easy, CURLOPT_CAINFO, p->authorities);
	if (p->certificate)
		(void)curl_easy_setopt(r->easy, CURLOPT_SSLCERT, p->certificate);
	if (p->key)
		(void)curl_easy_setopt(r->easy, CURLOPT_SSLKEY, p->key);
}

int http_request_open(struct http_request **ret, struct http *h, const struct http_peer *p, struct why *why)
{
	struct http_request *r = calloc(1, sizeof *r);
	int result = 0;

	if (!r || !(r->easy = curl_easy_init()))
		result = why_set(why, -ENOMEM, "out of memory");
	for (const char *const *line = p->headers; result == 0 && line && *line; line++)
		if (add_header(r, *line) < 0)
			result = why_set(why, -ENOMEM, "out of memory");
	/* An answer to Expect: 100-continue would be waited for. */
	if (result == 0 && add_header(r, "Expect:") < 0)
		result = why_set(why, -ENOMEM, "out of memory");
	if (result == 0 && p->header_file)
		result = read_headers(r, p->header_file, why);
	if (result < 0) {
		http_request_close(r);
		return result;
	}
	r->http = h;
	set_options(r, p);
	*ret = r;
	return 0;
}

void http_request_close(struct http_request *r)
{
	if (!r)
		return;
	if (r->going)
		(void)curl_multi_remove_handle(r->http->multi, r->easy);
	curl_easy_cleanup(r->easy);
	curl_slist_free_all(r->headers);
	explicit_bzero(r->text, r->n_text);     /* a service answers with keys */
	free(r);
}

static int go(struct http_request *r)
{
	r->n_text = 0;
	r->error[0] = '\0';
	r->head = (struct http_answer){ .status = 0 };
	r->going = curl_multi_add_handle(r->http->multi, r->easy) == CURLM_OK;
	return r->going ? 0 : -ENOMEM;
}

int http_request_start(struct http_request *r, const char *body, size_t n)
{
	(void)curl_easy_setopt(r->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)n);
	(void)curl_easy_setopt(r->easy, CURLOPT_POSTFIELDS, body);
	return go(r);
}

int http_request_send(struct http_request *r, const char *method, const char *body, size_t n, long stall_seconds)
{
	(void)curl_easy_setopt(r->easy, CURLOPT_CUSTOMREQUEST, method);
	(void)curl_easy_setopt(r->easy, CURLOPT_PATH_AS_IS, 1L);
	(void)curl_easy_setopt(r->easy, CURLOPT_TIMEOUT_MS, 0L);
	(void)curl_easy_setopt(r->easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
	(void)curl_easy_setopt(r->easy, CURLOPT_LOW_SPEED_TIME, stall_seconds);
	if (strcmp(method, "HEAD") == 0) {
		(void)curl_easy_setopt(r->easy, CURLOPT_NOBODY, 1L);    /* else a body would be waited for */
		return go(r);
	}
	return http_request_start(r, body, n);
}

/* ---- answers ----------------------------------------------------------------------------------- */

static void read_answer(struct http_answer *ret, struct http_request *r, CURLcode code)
{
	const char *type = NULL, *error = r->error[0] ? r->error : curl_easy_strerror(code);
	curl_off_t retry = 0;

	*ret = r->head;
	ret->body = r->text;
	ret->n_body = r->n_text;
	if (code != CURLE_OK) {
		one_line(ret->text, sizeof ret->text, error, strlen(error));
		return;
	}
	(void)curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &ret->status);
	(void)curl_easy_getinfo(r->easy, CURLINFO_RETRY_AFTER, &retry);
	(void)curl_easy_getinfo(r->easy, CURLINFO_CONTENT_TYPE, &type);
	ret->retry_after_seconds = (double)retry;
	ret->web_page = type && strncmp(type, "text/html", 9) == 0;
	if (!ret->web_page)
		one_line(ret->text, sizeof ret->text, r->text, r->n_text);
}

/* Notes for each request that ended how it did. */
static void note_ended(struct http *h)
{
	int left;

	for (CURLMsg *m; (m = curl_multi_info_read(h->multi, &left)) != NULL;) {
		char *private = NULL;

		(void)curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &private);

		struct http_request *r = (void *)private;

		if (m->msg != CURLMSG_DONE || !r)
			continue;
		r->ended = true;
		r->code = m->data.result;
	}
}

bool http_request_over(struct http_request *r, struct http_answer *ret)
{
	note_ended(r->http);
	if (!r->going || !r->ended)
		return false;
	(void)curl_multi_remove_handle(r->http->multi, r->easy);
	r->going = r->ended = false;
	read_answer(ret, r, r->code);
	return true;
}

enum verdict http_verdict(const struct http_answer *a)
{
	if (a->status >= 200 && a->status < 300)
		return a->web_page ? LATER : ACCEPTED;
	/* A redirect is that of a proxy's login page, or of a receiver that has moved: the points are kept. */
	if (a->status < 400 || a->status == 429 || a->status >= 500)
		return LATER;
	return REFUSED;
}

void http_answer_describe(struct why *ret, const char *shown, const struct http_answer *a)
{
	if (a->web_page)
		(void)why_set(ret, 0, "%s: a web page (status %ld) answers, not a receiver", shown, a->status);
	else if (a->status >= 300 && a->status < 400)
		(void)why_set(ret, 0, "%s: status %ld, a redirect, which is not followed", shown, a->status);
	else if (a->status)
		(void)why_set(ret, 0, "%s: status %ld%s%s", shown, a->status, a->text[0] ? ": " : "", a->text);
	else
		(void)why_set(ret, 0, "%s: %s", shown, a->text);
}

double http_pause_seconds(unsigned failures, double asked)
{
	double seconds = PAUSE_LEAST;
	uint16_t jitter = 0;

	for (unsigned i = 1; i < failures && seconds < PAUSE_MOST; i++)
		seconds *= 2;
	(void)!getrandom(&jitter, sizeof jitter, GRND_NONBLOCK);
	seconds = double_min(seconds, PAUSE_MOST) * (0.5 + jitter / 65536.0);
	return double_max(seconds, double_min(asked, RETRY_AFTER_MOST));
}
