/* datagrams.c - datagrams to and from the kernel. */
#include "datagrams.h"

#include <sys/socket.h>

void datagrams_clear(struct datagrams *d)
{
	d->n = d->begun = d->front.len = 0;
}

int datagrams_send(int fd, const void *bytes, size_t len)
{
	return send(fd, bytes, len, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int datagrams_receive(struct datagrams *d, int fd, size_t n, size_t room)
{
	struct mmsghdr m[DATAGRAMS_MAX] = { 0 };
	struct iovec part[DATAGRAMS_MAX];
	int got;

	datagrams_clear(d);
	d->room = room;
	for (size_t i = 0; i < n; i++) {
		part[i] = (struct iovec){ d->buffer + i * room, room };
		m[i].msg_hdr.msg_iov = &part[i];
		m[i].msg_hdr.msg_iovlen = 1;
	}
	do
		got = recvmmsg(fd, m, (unsigned)n, MSG_DONTWAIT, NULL);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN ? 0 : -errno;
	d->n = (size_t)got;
	for (size_t i = 0; i < d->n; i++)
		d->len[i] = m[i].msg_len;
	return got;
}

struct datagram_bytes *datagrams_front(struct datagrams *d)
{
	while (d->front.len == 0 && d->begun < d->n) {
		d->front = (struct datagram_bytes){ d->buffer + d->begun * d->room, d->len[d->begun] };
		d->begun++;
	}
	return d->front.len > 0 ? &d->front : NULL;
}
