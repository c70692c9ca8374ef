/* http_request.c - what a browser asks of a page that grows. */
#include "http_request.h"

#include <string.h>

#include "../core/http_head.h"

static const char HEAD_END[] = "\r\n\r\n";
enum { LINE_END_SIZE = 2, HEAD_END_SIZE = sizeof HEAD_END - 1 };

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
	if (!http_line(&left, &line))
		return HTTP_BAD;

	const char *first = memchr(line.at, ' ', line.len);
	const char *last = memrchr(line.at, ' ', line.len);

	if (!first || first == last || !word_starts((struct word){ last, (size_t)(line.at + line.len - last) }, " HTTP/1."))
		return HTTP_BAD;
	if (!word_is((struct word){ line.at, (size_t)(first - line.at) }, "GET"))
		return HTTP_METHOD;
	if (!http_host(left, &host))
		return HTTP_BAD;
	if (!http_host_is(host, own))
		return HTTP_REFUSED;

	const char *mark = memchr(first + 1, '?', (size_t)(last - first - 1));
	struct word path = { first + 1, (size_t)((mark ? mark : last) - first - 1) };
	struct word query = { mark ? mark + 1 : last, mark ? (size_t)(last - mark - 1) : 0 };

	if (!has_token(query, token))
		return HTTP_REFUSED;
	return word_is(path, "/") ? HTTP_PAGE : word_is(path, "/events") ? HTTP_EVENTS : HTTP_UNKNOWN;
}
