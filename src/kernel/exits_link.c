/* exits_link.c - questions to the kernel's task statistics, and what they tell. */
#include "exits_link.h"

static int send_request(int fd, const struct exit_request *request)
{
	return datagrams_send(fd, request, request->header.nlmsg_len);
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
	datagrams_clear(&l->datagrams);

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

int exits_receive(struct exits_link *l)
{
	return datagrams_receive(&l->datagrams, l->fd, EXITS_BATCH, EXITS_MESSAGE);
}

int exits_next(struct exits_link *l, struct exit_message *ret)
{
	struct datagram_bytes *d = datagrams_front(&l->datagrams);

	return d ? exit_next(d, l->family, ret) : 0;
}
