/* listen_address.h - [ADDRESS:]PORT, as --listen takes it. */
#ifndef RT_LISTEN_ADDRESS_H
#define RT_LISTEN_ADDRESS_H

#include "../core/why.h"

struct listen_address {
	char host[48], port[8];                 /* no address: 127.0.0.1; IPv6 without its brackets */
	bool loopback;                          /* other machines cannot reach it */
};

/* origin: the option, for messages.  -EINVAL with a sentence. */
int listen_address_read(struct listen_address *ret, const char *text, const char *origin, struct why *why) must_use;

#endif
