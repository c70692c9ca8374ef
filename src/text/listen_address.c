/* listen_address.c - an address to listen on, as text. */
#include "listen_address.h"

#include <stdio.h>
#include <string.h>

#include "../core/scan.h"
#include "shown.h"
#include "values.h"

int listen_address_read(struct listen_address *ret, const char *text, const char *origin, struct why *why)
{
	const char *colon = strrchr(text, ':'), *port = colon ? colon + 1 : text;
	struct word host = colon ? (struct word){ text, (size_t)(colon - text) } : word_of("127.0.0.1");
	uint64_t number;

	if (host.len >= 2 && host.at[0] == '[' && host.at[host.len - 1] == ']')
		host = (struct word){ host.at + 1, host.len - 2 };
	if (!value_u64(port, &number) || number == 0 || number > 65535)
		return why_set(why, -EINVAL, "%s: '%s' is not a port from 1 to 65535, or ADDRESS:PORT", origin, show(text).text);
	if (host.len == 0 || !word_copy(host, ret->host, sizeof ret->host) || strspn(ret->host, "0123456789abcdefABCDEF.:") != host.len)
		return why_set(why, -EINVAL, "%s: '%s' does not begin with an address in numbers, such as 127.0.0.1 or [::1]", origin,
			       show(text).text);
	(void)snprintf(ret->port, sizeof ret->port, "%u", (unsigned)number);
	ret->loopback = strncmp(ret->host, "127.", 4) == 0 || strcmp(ret->host, "::1") == 0;
	return 0;
}
