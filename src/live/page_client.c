/* page_client.c - one browser's connection. */
#include "page_client.h"

#include <sys/socket.h>

void page_client_open(struct page_client *c, int fd, int64_t now_ns)
{
	*c = (struct page_client){ .fd = fd, .moved_ns = now_ns };
}

void page_client_close(struct page_client *c)
{
	close_p(&c->fd);
	buffer_release(&c->out);
}

static bool later(int error) { return error == EAGAIN || error == EINTR; }

int page_client_read(struct page_client *c, int64_t now_ns, const char *token, const char *own)
{
	/* After its request a client says nothing more, but its end is seen here. */
	char more[512];
	bool whole = c->follows || c->last;
	ssize_t n = whole ? recv(c->fd, more, sizeof more, MSG_DONTWAIT)
			  : recv(c->fd, c->request + c->n_request, sizeof c->request - c->n_request, MSG_DONTWAIT);

	if (n < 0)
		return later(errno) ? HTTP_MORE : -errno;
	if (n == 0)
		return -ECONNRESET;
	if (whole)
		return HTTP_MORE;
	/* One that sends a byte now and then does not stay by that: the time counts from the first. */
	if (c->n_request == 0)
		c->moved_ns = now_ns;
	c->n_request += (size_t)n;
	return (int)http_asked(c->request, c->n_request, token, own);
}

int page_client_send(struct page_client *c, int64_t now_ns)
{
	while (page_client_owes(c)) {
		ssize_t n = send(c->fd, c->out.at + c->sent, c->out.len - c->sent, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0)
			return later(errno) ? 0 : -errno;
		c->sent += (size_t)n;
		c->moved_ns = now_ns;
	}
	buffer_clear(&c->out);
	c->sent = 0;
	return 0;
}
