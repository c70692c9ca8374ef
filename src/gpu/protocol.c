/* protocol.c - composes, sends and receives the parts of messages. */
#include "protocol.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "../core/metrics.h"

void gpu_protocol(char ret[GPU_PROTOCOL_SIZE])
{
	(void)snprintf(ret, GPU_PROTOCOL_SIZE, RT_VERSION "/%zu/%zu/%zu/%zu", sizeof(struct gpu_status),
		       offsetof(struct gpu_answer, device), sizeof(struct gpu_device), sizeof(struct gpu_use));
}

size_t gpu_reply_parts(struct iovec ret[GPU_PARTS], struct gpu_status *s, struct gpu_answer *a, bool rows)
{
	bool all = rows && s->answered;

	ret[0] = (struct iovec){ s, sizeof *s };
	ret[1] = (struct iovec){ a, offsetof(struct gpu_answer, device) };
	ret[2] = (struct iovec){ a->device, all ? a->n * sizeof a->device[0] : 0 };
	ret[3] = (struct iovec){ a->use, all ? a->n_uses * sizeof a->use[0] : 0 };
	return GPU_PARTS;
}

bool gpu_reply_counts_fit(const struct gpu_status *s, const struct gpu_answer *a)
{
	return !s->answered || (a->n <= GPU_MAX && a->n_uses <= GPU_PROCESSES_MAX);
}

/* Reading a bool with another value than 0 or 1 is undefined. */
static void make_truth(bool *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char byte;

		memcpy(&byte, &at[i], sizeof byte);
		at[i] = byte != 0;
	}
}

static void make_device(struct gpu_device *d)
{
	const struct table_info *info = &tables[TABLE_GPU];

	d->row.key[sizeof d->row.key - 1] = d->folder[sizeof d->folder - 1] = '\0';
	for (size_t i = 0; i < info->n_labels; i++)
		((char *)&d->row)[info->labels[i].offset + info->labels[i].size - 1] = '\0';
	for (size_t i = 0; i < GPU_NODES; i++)
		d->node[i][GPU_NODE_SIZE - 1] = '\0';
	make_truth(&d->is_part, 1);
}

bool gpu_reply_check(struct gpu_status *s, struct gpu_answer *a)
{
	s->why.text[sizeof s->why.text - 1] = '\0';
	if (s->state <= GPU_OPENING || s->state > GPU_FAILED)
		return false;
	if (!s->answered)
		return true;
	make_truth(&a->pids_are_ours, 1);
	make_truth(a->uses_known, GPU_MAX);
	make_truth(a->held, GPU_MAX);
	for (size_t i = 0; i < a->n; i++)
		make_device(&a->device[i]);
	for (size_t i = 0; i < a->n_uses; i++)
		if (a->use[i].device >= a->n)
			return false;
	return true;
}

/* The parts without their first `done` bytes; returns how many bytes are left. */
static size_t rest(struct iovec ret[GPU_PARTS], const struct iovec *parts, size_t n, size_t done)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		size_t skip = size_min(done, parts[i].iov_len);

		done -= skip;
		ret[i] = parts[i];
		if (skip > 0)
			ret[i] = (struct iovec){ (char *)parts[i].iov_base + skip, parts[i].iov_len - skip };
		left += ret[i].iov_len;
	}
	return left;
}

static int move(int socket, bool out, const struct iovec *parts, size_t n, size_t *done, int flags)
{
	struct iovec left[GPU_PARTS] = { 0 };

	while (rest(left, parts, n, *done) > 0) {
		struct msghdr message = { .msg_iov = left, .msg_iovlen = GPU_PARTS };
		ssize_t moved = out ? sendmsg(socket, &message, flags | MSG_NOSIGNAL)
				    : recvmsg(socket, &message, flags);

		if (moved == 0 && !out)
			return -EPIPE;
		if (moved < 0 && errno == EAGAIN)
			return 0;
		if (moved < 0 && errno != EINTR)
			return errno == ECONNRESET ? -EPIPE : -errno;
		*done += moved > 0 ? (size_t)moved : 0;
	}
	return 1;
}

int gpu_send(int socket, const struct iovec *parts, size_t n, size_t *done, int flags)
{
	return move(socket, true, parts, n, done, flags);
}

int gpu_receive(int socket, const struct iovec *parts, size_t n, size_t *done, int flags)
{
	return move(socket, false, parts, n, done, flags);
}
