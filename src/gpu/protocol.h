/*
 * protocol.h - what passes between a reader of GPUs and who asks it, each at one end of a stream socket.
 *
 * The reader begins: it opens its driver, reads it for the first time and sends a reply.  From then on it sends one
 * for each request: a status, and the answer if there is one.  Structs go as they are in memory, so both ends must be
 * of one build; gpu_protocol() says of which.
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
	int64_t began_ns, ended_ns;             /* the machine's clock: not one turned by hand */
	size_t n, n_uses;
	bool pids_are_ours;                     /* else `held` is all that is known of whose they are */
	bool uses_known[GPU_MAX];               /* by device: all processes that use it are among the uses ... */
	bool held[GPU_MAX];                     /* ... or a process of the job has its node open */
	struct gpu_device device[GPU_MAX];      /* those that were selected, with their values */
	struct gpu_use use[GPU_PROCESSES_MAX];
};

enum gpu_state { GPU_OPENING, GPU_READING, GPU_NONE, GPU_FAILED };      /* NONE: nothing was found after all */

struct gpu_status {
	enum gpu_state state;
	unsigned answered;                      /* 1: an answer belongs to it */
	size_t devices;                         /* listed, selected or not */
	uint64_t matched;                       /* items of the selection that one of them is meant by (select.h) */
	double seconds;                         /* from due_ns to the answer, by the slowest lately */
	double cpu_seconds, rss_bytes;          /* of the reader's process; 0 in a thread of ours */
	struct why why;                         /* "": nothing */
};

/* Followed by the processes of the job.  The reading begins at `due_ns`. */
struct gpu_request { int64_t due_ns; size_t n_job; };

enum { GPU_PROTOCOL_SIZE = 64, GPU_PARTS = 4 };

void gpu_protocol(char ret[GPU_PROTOCOL_SIZE]);

/* The bytes of a reply.  Without `rows` only its beginning: whoever receives knows how many rows there are after it. */
size_t gpu_reply_parts(struct iovec ret[GPU_PARTS], struct gpu_status *s, struct gpu_answer *a, bool rows);
bool   gpu_reply_counts_fit(const struct gpu_status *s, const struct gpu_answer *a);
/* Whether it can be one.  What a wild library may have written is mended: texts have an end then, a bool is one. */
bool   gpu_reply_check(struct gpu_status *s, struct gpu_answer *a);

/*
 * Sends or receives what is left of the parts after *done bytes, as far as the socket lets it; MSG_DONTWAIT: now.
 * 1: all is done; 0: not yet; -EPIPE: nobody is at the other end; other errors of sendmsg(2) and recvmsg(2).
 */
int gpu_send(int socket, const struct iovec *parts, size_t n, size_t *done, int flags) must_use;
int gpu_receive(int socket, const struct iovec *parts, size_t n, size_t *done, int flags) must_use;

#endif
