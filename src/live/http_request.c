/* http_request.c - what a browser asks of a page that grows. */
#include "http_request.h"

#include <string.h>
#include <strings.h>

#include "../core/scan.h"

static const char LINE_END[] = "\r\n", HEAD_END[] = "\r\n\r\n";
enum { LINE_END_SIZE = sizeof LINE_END - 1, HEAD_END_SIZE = sizeof HEAD_END - 1 };

/* The next line of the head, which ends with one; false: no more. */
static bool next_line(struct word *left, struct word *ret)
{
	const char *end = memmem(left->at, left->len, LINE_END, LINE_END_SIZE);

	if (!end || end == left->at)
		return false;
	*ret = (struct word){ left->at, (size_t)(end - left->at) };
	left->len -= ret->len + LINE_END_SIZE;
	left->at = end + LINE_END_SIZE;
	return true;
}

static struct word trimmed(const char *at, size_t n)
{
	while (n > 0 && (*at == ' ' || *at == '\t'))
		at++, n--;
	while (n > 0 && (at[n - 1] == ' ' || at[n - 1] == '\t'))
		n--;
	return (struct word){ at, n };
}

/* The name in "name:port" and "[name]:port". */
static struct word host_name(struct word host)
{
	const char *end;

	if (host.len > 0 && *host.at == '[') {
		end = memchr(host.at, ']', host.len);
		return end ? (struct word){ host.at + 1, (size_t)(end - host.at) - 1 } : host;
	}
	end = memrchr(host.at, ':', host.len);
	return end ? (struct word){ host.at, (size_t)(end - host.at) } : host;
}

static bool is_loopback(struct word name)
{
	return word_is(name, "localhost") || word_is(name, "127.0.0.1") || word_is(name, "::1");
}

/* The one Host of the head.  false: none, or several. */
static bool read_host(struct word lines, struct word *ret)
{
	static const char name[] = "host:";
	struct word line;
	int found = 0;

	while (next_line(&lines, &line))
		if (line.len >= sizeof name - 1 && strncasecmp(line.at, name, sizeof name - 1) == 0) {
			*ret = host_name(trimmed(line.at + sizeof name - 1, line.len - (sizeof name - 1)));
			found++;
		}
	return found == 1;
}

/* The time that it takes does not depend on where they differ. */
static bool same_token(struct word given, const char *token)
{
	size_t n = strlen(token);
	unsigned char differs = given.len != n;

	for (size_t i = 0; i < size_min(n, given.len); i++)
		differs |= (unsigned char)(given.at[i] ^ token[i]);
	return !differs;
}

static bool has_token(struct word query, const char *token)
{
	static const char key[] = "token=";

	for (const char *at = query.at, *end = query.at + query.len; at < end;) {
		const char *next = memchr(at, '&', (size_t)(end - at));
		struct word one = { at, (size_t)((next ? next : end) - at) };

		if (word_starts(one, key))
			return same_token((struct word){ one.at + sizeof key - 1, one.len - (sizeof key - 1) }, token);
		at = next ? next + 1 : end;
	}
	return false;
}

enum http_asked http_asked(const char *text, size_t n, const char *token, const char *own)
{
	const char *end = memmem(text, n, HEAD_END, HEAD_END_SIZE);
	struct word left, line, host;

	if (!end)
		return n >= HTTP_REQUEST_SIZE ? HTTP_BAD : HTTP_MORE;
	left = (struct word){ text, (size_t)(end - text) + LINE_END_SIZE };
	if (!next_line(&left, &line))
		return HTTP_BAD;

	const char *first = memchr(line.at, ' ', line.len);
	const char *last = memrchr(line.at, ' ', line.len);

	if (!first || first == last || !word_starts((struct word){ last, (size_t)(line.at + line.len - last) }, " HTTP/1."))
		return HTTP_BAD;
	if (!word_is((struct word){ line.at, (size_t)(first - line.at) }, "GET"))
		return HTTP_METHOD;
	if (!read_host(left, &host))
		return HTTP_BAD;
	if (!word_is(host, own) && !(is_loopback(word_of(own)) && is_loopback(host)))
		return HTTP_REFUSED;

	const char *mark = memchr(first + 1, '?', (size_t)(last - first - 1));
	struct word path = { first + 1, (size_t)((mark ? mark : last) - first - 1) };
	struct word query = { mark ? mark + 1 : last, mark ? (size_t)(last - mark - 1) : 0 };

	if (!has_token(query, token))
		return HTTP_REFUSED;
	return word_is(path, "/") ? HTTP_PAGE : word_is(path, "/events") ? HTTP_EVENTS : HTTP_UNKNOWN;
}
