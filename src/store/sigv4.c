/* sigv4.c - signatures of requests. */
#include "sigv4.h"

#include <nettle/hmac.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SHA256_BYTES = 32 };

/* ---- hashes ------------------------------------------------------------------------------------ */

static void hexadecimal(char ret[SHA256_TEXT], const unsigned char hash[SHA256_BYTES])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < SHA256_BYTES; i++) {
		ret[2 * i] = digits[hash[i] >> 4];
		ret[2 * i + 1] = digits[hash[i] & 15];
	}
	ret[2 * SHA256_BYTES] = '\0';
}

void sha256_text(char ret[SHA256_TEXT], const void *bytes, size_t n)
{
	unsigned char hash[SHA256_BYTES];
	struct sha256_ctx context;

	sha256_init(&context);
	sha256_update(&context, n, bytes);
	sha256_digest(&context, sizeof hash, hash);
	hexadecimal(ret, hash);
}

static int add_file(struct sha256_ctx *context, int fd, uint64_t offset, uint64_t n)
{
	uint8_t bytes[16384];

	while (n > 0) {
		ssize_t some = pread(fd, bytes, size_min(sizeof bytes, n), (off_t)offset);

		if (some < 0 && errno == EINTR)
			continue;
		if (some <= 0)
			return some < 0 ? -errno : -EIO;
		sha256_update(context, (size_t)some, bytes);
		offset += (uint64_t)some;
		n -= (uint64_t)some;
	}
	return 0;
}

int sha256_file(char ret[SHA256_TEXT], int fd, uint64_t offset, uint64_t n)
{
	unsigned char hash[SHA256_BYTES];
	struct sha256_ctx context;

	sha256_init(&context);

	int r = add_file(&context, fd, offset, n);

	if (r < 0)
		return r;
	sha256_digest(&context, sizeof hash, hash);
	hexadecimal(ret, hash);
	return 0;
}

struct key { unsigned char at[SHA256_BYTES]; };

static struct key hmac(const void *key, size_t n, const char *text, size_t n_text)
{
	struct hmac_sha256_ctx context;
	struct key made;

	hmac_sha256_set_key(&context, n, key);
	hmac_sha256_update(&context, n_text, (const uint8_t *)text);
	hmac_sha256_digest(&context, sizeof made.at, made.at);
	return made;
}

/* ---- texts that are signed --------------------------------------------------------------------- */

void sigv4_time(char ret[SIGV4_TIME_SIZE], int64_t unix_seconds)
{
	time_t seconds = (time_t)unix_seconds;
	struct tm utc = { .tm_mday = 1 };

	(void)gmtime_r(&seconds, &utc);
	if (strftime(ret, SIGV4_TIME_SIZE, "%Y%m%dT%H%M%SZ", &utc) == 0)
		ret[0] = '\0';
}

static bool is_unreserved(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
	       c == '_' || c == '~';
}

static void encode(struct buffer *out, const char *text, char also)
{
	static const char digits[] = "0123456789ABCDEF";

	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (is_unreserved(*text) || *text == also) {
			buffer_char(out, *text);
			continue;
		}
		buffer_char(out, '%');
		buffer_char(out, digits[byte >> 4]);
		buffer_char(out, digits[byte & 15]);
	}
}

void sigv4_path(struct buffer *out, const char *path)
{
	encode(out, path, '/');
}

struct encoded { struct buffer name, value; };

static int by_name_and_value(const void *a, const void *b)
{
	const struct encoded *x = a, *y = b;
	int order = strcmp(x->name.at, y->name.at);

	return order ? order : strcmp(x->value.at, y->value.at);
}

/* Sorted as they are written: "%" is less than every letter. */
void sigv4_query(struct buffer *out, const struct sigv4_pair *query, size_t n)
{
	struct encoded pairs[SIGV4_PAIRS_MAX] = { { { 0 }, { 0 } } };
	bool failed = n > SIGV4_PAIRS_MAX;

	for (size_t i = 0; !failed && i < n; i++) {
		encode(&pairs[i].name, query[i].name, '\0');
		encode(&pairs[i].value, query[i].value, '\0');
		buffer_char(&pairs[i].name, '\0');
		buffer_char(&pairs[i].value, '\0');
		failed = pairs[i].name.failed || pairs[i].value.failed;
	}
	if (!failed && n > 0)
		qsort(pairs, n, sizeof *pairs, by_name_and_value);
	for (size_t i = 0; !failed && i < n; i++)
		buffer_format(out, "%s%s=%s", i ? "&" : "", pairs[i].name.at, pairs[i].value.at);
	for (size_t i = 0; i < SIGV4_PAIRS_MAX; i++) {
		buffer_release(&pairs[i].name);
		buffer_release(&pairs[i].value);
	}
	out->failed = out->failed || failed;
}

/* ---- headers ----------------------------------------------------------------------------------- */

struct headers { struct sigv4_pair at[SIGV4_PAIRS_MAX + 3]; size_t n; };

static int by_name(const void *a, const void *b)
{
	const struct sigv4_pair *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static struct headers headers_of(const struct sigv4_request *r, const struct sigv4_keys *keys, const char *when)
{
	struct headers h = { .at = { { "host", r->host }, { "x-amz-date", when } }, .n = 2 };

	if (keys->token && *keys->token)
		h.at[h.n++] = (struct sigv4_pair){ "x-amz-security-token", keys->token };
	for (size_t i = 0; i < r->n_headers && i < SIGV4_PAIRS_MAX; i++)
		h.at[h.n++] = r->headers[i];
	qsort(h.at, h.n, sizeof *h.at, by_name);
	return h;
}

static void write_names(struct buffer *out, const struct headers *h)
{
	for (size_t i = 0; i < h->n; i++)
		buffer_format(out, "%s%s", i ? ";" : "", h->at[i].name);
}

/* ---- the signature ----------------------------------------------------------------------------- */

static void write_canonical(struct buffer *out, const struct sigv4_request *r, const struct headers *h)
{
	buffer_format(out, "%s\n", r->method);
	sigv4_path(out, r->path);
	buffer_char(out, '\n');
	sigv4_query(out, r->query, r->n_query);
	buffer_char(out, '\n');
	for (size_t i = 0; i < h->n; i++)
		buffer_format(out, "%s:%s\n", h->at[i].name, h->at[i].value);
	buffer_char(out, '\n');
	write_names(out, h);
	buffer_format(out, "\n%s", r->payload_sha256);
}

/* The secret, restricted to a day, a region and a service, one after the other. */
static struct key signing_key(const struct sigv4_request *r, const char *secret, const char *day, size_t n_day)
{
	struct buffer first = { 0 };
	struct key key;

	buffer_format(&first, "AWS4%s", secret);
	key = hmac(first.at, first.len, day, n_day);
	if (first.at)
		explicit_bzero(first.at, first.len);
	buffer_release(&first);
	key = hmac(key.at, sizeof key.at, r->region, strlen(r->region));
	key = hmac(key.at, sizeof key.at, r->service, strlen(r->service));
	return hmac(key.at, sizeof key.at, "aws4_request", strlen("aws4_request"));
}

void sigv4_sign(struct buffer *out, const struct sigv4_request *r, const struct sigv4_keys *keys)
{
	enum { DAY = 8 };
	char when[SIGV4_TIME_SIZE], hash[SHA256_TEXT], signature[SHA256_TEXT];
	struct buffer canonical = { 0 }, scope = { 0 }, text = { 0 };
	struct headers h;
	struct key key;

	sigv4_time(when, r->unix_seconds);
	h = headers_of(r, keys, when);
	write_canonical(&canonical, r, &h);
	sha256_text(hash, canonical.at, canonical.len);
	buffer_format(&scope, "%.*s/%s/%s/aws4_request", DAY, when, r->region, r->service);
	buffer_char(&scope, '\0');
	buffer_format(&text, "AWS4-HMAC-SHA256\n%s\n%s\n%s", when, scope.failed ? "" : scope.at, hash);
	if (canonical.failed || scope.failed || text.failed || r->n_headers > SIGV4_PAIRS_MAX) {
		out->failed = true;
	} else {
		key = signing_key(r, keys->secret, when, DAY);
		key = hmac(key.at, sizeof key.at, text.at, text.len);
		hexadecimal(signature, key.at);
		buffer_format(out, "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=", keys->access, scope.at);
		write_names(out, &h);
		buffer_format(out, ", Signature=%s", signature);
	}
	buffer_release(&canonical);
	buffer_release(&scope);
	buffer_release(&text);
}
