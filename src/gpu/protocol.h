/*
 * protocol.h - the messages between a reader of GPUs and its client, over a stream socket.
 *
 * The reader starts: it opens its driver, reads it for the first time and sends a reply.  From then on it sends one
 * reply for each request: a status, and the answer if there is one.  Structs are sent as they are in memory, so both
 * ends must be of one build; gpu_protocol() identifies it.
 */
#ifndef RT_GPU_PROTOCOL_H
#define RT_GPU_PROTOCOL_H

#include <sys/uio.h>

#include "backend.h"

struct gpu_use {
	size_t device;                          /* of the answer */
	struct gpu_process process;
};

struct gpu_answer {
	int64_t began_ns, ended_ns;             /* the real CLOCK_MONOTONIC, never a test's */
	size_t n, n_uses;
	bool pids_are_ours;                     /* else only `held` attributes devices to the job */
	bool uses_known[GPU_MAX];               /* by device: all processes that use it are among the uses ... */
	bool held[GPU_MAX];                     /* ... or a process of the job has its node open */
	struct gpu_device device[GPU_MAX];      /* the selected ones, with their values */
	struct gpu_use use[GPU_PROCESSES_MAX];
};

enum gpu_state { GPU_OPENING, GPU_READING, GPU_NONE, GPU_FAILED };      /* NONE: no device was found after all */

struct gpu_status {
	enum gpu_state state;
	unsigned answered;                      /* 1: an answer follows */
	size_t devices;                         /* listed, selected or not */
	uint64_t matched;                       /* bits of the items of the selection that match a device (select.h) */
	double seconds;                         /* from due_ns to the answer: the slowest of the latest readings */
	double cpu_seconds, rss_bytes;          /* of the reader's process; 0 in a thread of ours */
	struct why why;                         /* "": no problem */
};

/* Followed by the processes of the job.  The reading begins at `due_ns`. */
struct gpu_request { int64_t due_ns; size_t n_job; };

enum { GPU_PROTOCOL_SIZE = 64, GPU_PARTS = 4 };

void gpu_protocol(char ret[GPU_PROTOCOL_SIZE]);         /* the version, and the sizes of the structs */

/* The buffers of a reply.  Without `rows` only its fixed part: the receiver learns from it how many rows follow. */
size_t gpu_reply_parts(struct iovec ret[GPU_PARTS], struct gpu_status *s, struct gpu_answer *a, bool rows);
bool   gpu_reply_counts_fit(const struct gpu_status *s, const struct gpu_answer *a);    /* else its rows have no room */
/*
 * Whether the reply is valid; its counts were checked before.  Values that a misbehaving library wrote are corrected:
 * texts are terminated, bools are 0 or 1.
 */
bool   gpu_reply_check(struct gpu_status *s, struct gpu_answer *a);

/*
 * Sends or receives the rest of the parts after *done bytes, as far as the socket allows; MSG_DONTWAIT: without
 * waiting.  1: complete; 0: not yet; -EPIPE: the other end is closed; other errors of sendmsg(2) and recvmsg(2).
 */
int gpu_send(int socket, const struct iovec *parts, size_t n, size_t *done, int flags) must_use;
int gpu_receive(int socket, const struct iovec *parts, size_t n, size_t *done, int flags) must_use;

#endif
