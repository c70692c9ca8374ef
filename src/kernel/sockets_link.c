/* sockets_link.c - requests to the kernel's socket diagnostics, their answers, and its reports of closes. */
#include "sockets_link.h"

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
	datagrams_clear(&l->datagrams);
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
	return datagrams_send(fd, requests, n * sizeof *requests);
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

int link_receive(struct socket_link *l, int fd)
{
	/* A piece of a list is as large as the buffer of the receive before. */
	size_t n = fd == l->list ? 1 : LINK_BATCH;

	return datagrams_receive(&l->datagrams, fd, n, DATAGRAMS_BUFFER / n);
}

int link_next(struct socket_link *l, struct diag_message *ret)
{
	struct datagram_bytes *d = datagrams_front(&l->datagrams);

	return d ? diag_next(d, ret) : 0;
}
