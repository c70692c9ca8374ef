/* exits_link.c - datagrams to and from the kernel's task statistics. */
#include "exits_link.h"

#include <sys/socket.h>

static int send_request(int fd, const struct exit_request *request)
{
	return send(fd, request, request->header.nlmsg_len, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* An answer is there when the question has been sent. */
static int find_family(struct exits_link *l)
{
	struct exit_request request = exit_request_family();
	struct exit_message m = { .kind = EXIT_OTHER };
	int r = send_request(l->fd, &request);

	while (r == 0 && m.kind != EXIT_FAMILY) {
		r = exits_receive(l);
		if (r >= 0)
			r = r == 0 ? -ENODATA : exits_next(l, &m);
		if (r >= 0)
			r = r == 1 && m.kind == EXIT_ERROR && m.error < 0 ? m.error : 0;
	}
	l->family = m.family;
	return r;
}

int exits_open(struct exits_link **ret, const struct source *src)
{
	struct exits_link *l = malloc(sizeof *l);
	int fd = l ? src->task_stats(src) : -ENOMEM;

	if (fd < 0) {
		free(l);
		return fd;
	}
	l->fd = fd;
	l->family = 0;
	l->listens = false;
	l->n = l->at = l->bytes.len = 0;

	/* Those that may come to be online later are in it. */
	int r = source_read_line(l->cpus, sizeof l->cpus, src->sys, "devices/system/cpu/possible");

	if (r == 0)
		r = find_family(l);
	if (r < 0) {
		exits_close(l);
		return r;
	}
	*ret = l;
	return 0;
}

void exits_close(struct exits_link *l)
{
	if (!l)
		return;
	if (l->listens)
		(void)!exits_listen(l, false);
	close_p(&l->fd);
	free(l);
}

int exits_listen(struct exits_link *l, bool listen)
{
	struct exit_request request = exit_request_listen(l->family, listen, l->cpus);
	int r = send_request(l->fd, &request);

	if (r == 0)
		l->listens = listen;
	return r;
}

static void begin_datagram(struct exits_link *l)
{
	l->bytes = (struct exit_bytes){ l->buffer[l->at], l->len[l->at] };
}

int exits_receive(struct exits_link *l)
{
	struct mmsghdr m[EXITS_BATCH] = { 0 };
	struct iovec part[EXITS_BATCH];

	for (size_t i = 0; i < EXITS_BATCH; i++) {
		part[i] = (struct iovec){ l->buffer[i], EXITS_MESSAGE };
		m[i].msg_hdr.msg_iov = &part[i];
		m[i].msg_hdr.msg_iovlen = 1;
	}
	l->n = l->at = l->bytes.len = 0;

	int got = recvmmsg(l->fd, m, EXITS_BATCH, MSG_DONTWAIT, NULL);

	if (got < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	l->n = (size_t)got;
	for (size_t i = 0; i < l->n; i++)
		l->len[i] = m[i].msg_len;
	if (got > 0)
		begin_datagram(l);
	return got;
}

int exits_next(struct exits_link *l, struct exit_message *ret)
{
	int r = 0;

	while (l->at < l->n && (r = exit_next(&l->bytes, l->family, ret)) == 0)
		if (++l->at < l->n)
			begin_datagram(l);
	return l->at < l->n ? r : 0;
}
