/* sockets_link.c - datagrams to and from the kernel's socket diagnostics. */
#include "sockets_link.h"

#include <sys/socket.h>

int link_open(struct socket_link **ret, const struct source *src)
{
	struct socket_link *l = malloc(sizeof *l);
	int fd = l ? src->socket_diag(src, false) : -ENOMEM;

	if (fd < 0) {
		free(l);
		return fd;
	}
	l->ask = fd;
	l->list = l->closes = -1;
	l->n = l->at = l->bytes.len = 0;
	*ret = l;
	return 0;
}

void link_close(struct socket_link *l)
{
	if (!l)
		return;
	close_p(&l->ask);
	close_p(&l->list);
	close_p(&l->closes);
	free(l);
}

static int send_all(int fd, const struct diag_request *requests, size_t n)
{
	ssize_t sent = send(fd, requests, n * sizeof *requests, MSG_NOSIGNAL);

	return sent < 0 ? -errno : 0;
}

int link_ask(struct socket_link *l, const struct diag_request *requests, size_t n)
{
	return send_all(l->ask, requests, n);
}

int link_list(struct socket_link *l, const struct source *src, uint8_t family)
{
	struct diag_request request = diag_request(1, family, NULL);
	int fd = src->socket_diag(src, false);
	int r = fd < 0 ? fd : send_all(fd, &request, 1);

	if (r < 0) {
		close_p(&fd);
		return r;
	}
	l->list = fd;
	return 0;
}

static void begin_datagram(struct socket_link *l)
{
	l->bytes = (struct diag_bytes){ l->buffer + l->at * l->room, l->len[l->at] };
}

int link_receive(struct socket_link *l, int fd)
{
	struct mmsghdr m[LINK_BATCH] = { 0 };
	struct iovec part[LINK_BATCH];
	/* A piece of a list is as large as the buffer that it was received into before. */
	unsigned n = fd == l->list ? 1 : LINK_BATCH;

	l->room = LINK_BUFFER / n;
	for (unsigned i = 0; i < n; i++) {
		part[i] = (struct iovec){ l->buffer + i * l->room, l->room };
		m[i].msg_hdr.msg_iov = &part[i];
		m[i].msg_hdr.msg_iovlen = 1;
	}
	l->n = l->at = l->bytes.len = 0;

	int got = recvmmsg(fd, m, n, MSG_DONTWAIT, NULL);

	if (got < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	l->n = (size_t)got;
	for (size_t i = 0; i < l->n; i++)
		l->len[i] = m[i].msg_len;
	if (got > 0)
		begin_datagram(l);
	return got;
}

int link_next(struct socket_link *l, struct diag_message *ret)
{
	int r = 0;

	while (l->at < l->n && (r = diag_next(&l->bytes, ret)) == 0)
		if (++l->at < l->n)
			begin_datagram(l);
	return l->at < l->n ? r : 0;
}
