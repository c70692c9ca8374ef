/* http_head.c - lines and fields of a request. */
#include "http_head.h"

#include <string.h>
#include <strings.h>

static const char LINE_END[] = "\r\n";
enum { LINE_END_SIZE = sizeof LINE_END - 1 };

bool http_line(struct word *left, struct word *ret)
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

size_t http_field(struct word lines, const char *name, struct word *ret)
{
	size_t n = strlen(name), found = 0;
	struct word line;

	while (http_line(&lines, &line))
		if (line.len > n && line.at[n] == ':' && strncasecmp(line.at, name, n) == 0) {
			*ret = trimmed(line.at + n + 1, line.len - n - 1);
			found++;
		}
	return found;
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

bool http_host(struct word lines, struct word *ret)
{
	struct word host;

	if (http_field(lines, "host", &host) != 1)
		return false;
	*ret = host_name(host);
	return true;
}

static bool is_loopback(struct word name)
{
	return word_is(name, "localhost") || word_is(name, "127.0.0.1") || word_is(name, "::1");
}

bool http_host_is(struct word host, const char *own)
{
	return word_is(host, own) || (is_loopback(word_of(own)) && is_loopback(host));
}
