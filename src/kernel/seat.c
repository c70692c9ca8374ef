/* seat.c - seats by names of sockets. */
#include "seat.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

/* Its path begins with a zero, so it is no file, and ends with its length. */
static socklen_t name_of(struct sockaddr_un *ret, const char *what, int seat)
{
	*ret = (struct sockaddr_un){ .sun_family = AF_UNIX };

	int n = snprintf(ret->sun_path + 1, sizeof ret->sun_path - 1, "%s-%d", what, seat);

	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

int seat_take(const char *what, int seats)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int r = fd < 0 ? -errno : -EADDRINUSE;

	for (int i = 0; i < seats && r == -EADDRINUSE; i++) {
		struct sockaddr_un name;
		socklen_t len = name_of(&name, what, i);

		r = bind(fd, (const struct sockaddr *)&name, len) == 0 ? fd : -errno;
	}
	if (r < 0)
		close_p(&fd);
	return r == -EADDRINUSE ? -EUSERS : r;
}
