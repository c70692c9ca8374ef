/* clickhouse_address.c - a database of ClickHouse as text. */
#include "clickhouse_address.h"

#include <stdio.h>

#include "../core/scan.h"
#include "../text/shown.h"

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

enum { HOST_MOST = 253 };

static const struct scheme { const char *begin, *web, *port; } schemes[] = {
	{ "clickhouse://", "http", "8123" }, { "clickhouses://", "https", "8443" },
};

static const struct scheme *scheme_of(const char *text)
{
	for (size_t i = 0; i < countof(schemes); i++)
		if (word_starts(word_of(text), schemes[i].begin))
			return &schemes[i];
	return NULL;
}

bool clickhouse_address_named(const char *text)
{
	return scheme_of(text) != NULL;
}

/* A name, an IPv4 address, or an IPv6 address in brackets. */
static size_t host_length(const char *at)
{
	size_t n = strspn(at, LETTERS DIGITS ".-_");

	if (*at == '[') {
		n = 1 + strspn(at + 1, "abcdefABCDEF.:" DIGITS);
		n = n > 1 && at[n] == ']' ? n + 1 : 0;
	}
	return n <= HOST_MOST ? n : 0;
}

static bool is_port(struct word port)
{
	struct scan s = scan_of(port.at, port.len);
	uint64_t number;

	return port.len > 0 && strspn(port.at, DIGITS) >= port.len && scan_u64(&s, &number) && number > 0 &&
	       number <= UINT16_MAX;
}

static bool is_database(struct word name)
{
	return name.len > 0 && name.len < sizeof ((struct clickhouse_address *)NULL)->database &&
	       strspn(name.at, LETTERS DIGITS "_") == name.len && !strchr(DIGITS, name.at[0]);
}

int clickhouse_address_read(struct clickhouse_address *ret, const char *text, struct why *why)
{
	const struct scheme *scheme = scheme_of(text);
	const char *at = scheme ? text + strlen(scheme->begin) : "";
	struct word host = { at, host_length(at) }, port, database = word_of("default");

	if (strchr(at, '@'))
		return why_set(why, -EINVAL, "--store: no user and password there, where others can read them: they are given by "
			       "CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, or --header-file");
	at += host.len;
	port = scheme ? word_of(scheme->port) : word_of("");
	if (*at == ':') {
		port = (struct word){ at + 1, strcspn(at + 1, "/") };
		at += 1 + port.len;
	}
	if (at[0] == '/' && at[1])
		database = word_of(at + 1);
	if (host.len == 0 || !is_port(port) || (*at && *at != '/') || !is_database(database))
		return why_set(why, -EINVAL, "--store: '%s' is not clickhouse://HOST:PORT/DATABASE, such as "
			       "clickhouse://localhost:8123/fleet", show(text).text);
	(void)snprintf(ret->origin, sizeof ret->origin, "%s://%.*s:%.*s", scheme->web, (int)host.len, host.at, (int)port.len,
		       port.at);
	(void)word_copy(database, ret->database, sizeof ret->database);
	return 0;
}
