/* page_socket.c - the socket at which a page is served. */
#include "page_socket.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

enum { WAITING = 16 };

union place { struct sockaddr any; struct sockaddr_in v4; struct sockaddr_in6 v6; };

/* Returns its size; 0: not a numeric address. */
static socklen_t place_of(union place *ret, const char *address, uint16_t port)
{
	*ret = (union place){ 0 };
	if (inet_pton(AF_INET, address, &ret->v4.sin_addr) == 1) {
		ret->v4.sin_family = AF_INET;
		ret->v4.sin_port = htons(port);
		return sizeof ret->v4;
	}
	if (inet_pton(AF_INET6, address, &ret->v6.sin6_addr) == 1) {
		ret->v6.sin6_family = AF_INET6;
		ret->v6.sin6_port = htons(port);
		return sizeof ret->v6;
	}
	return 0;
}

static void address_of(char ret[INET6_ADDRSTRLEN], const union place *place)
{
	const void *at = place->any.sa_family == AF_INET ? (const void *)&place->v4.sin_addr : &place->v6.sin6_addr;

	if (!inet_ntop(place->any.sa_family, at, ret, INET6_ADDRSTRLEN))
		*ret = '\0';
}

int page_socket_open(struct page_socket *ret, const char *address, uint16_t port, struct why *why)
{
	union place place;
	socklen_t size = place_of(&place, address, port);
	auto_close int fd = -1;
	int one = 1;

	if (size == 0)
		return why_set(why, -EINVAL, "'%.60s' is not a numeric address, such as 127.0.0.1", address);
	fd = socket(place.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return why_set(why, -errno, "cannot make a socket: %s", strerror(errno));
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(fd, &place.any, size) < 0 || listen(fd, WAITING) < 0 || getsockname(fd, &place.any, &size) < 0)
		return errno == EADDRINUSE
			? why_set(why, -errno, "port %u of %s is in use: without --port a free one is taken", port, address)
			: why_set(why, -errno, "cannot listen at port %u of %s: %s", port, address, strerror(errno));
	address_of(ret->address, &place);
	ret->port = ntohs(place.any.sa_family == AF_INET ? place.v4.sin_port : place.v6.sin6_port);
	ret->fd = fd;
	fd = -1;
	return 0;
}

void page_socket_own(char ret[INET6_ADDRSTRLEN], int fd)
{
	union place place = { 0 };
	socklen_t size = sizeof place;

	*ret = '\0';
	if (getsockname(fd, &place.any, &size) == 0)
		address_of(ret, &place);
}
