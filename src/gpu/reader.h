/*
 * reader.h - a backend in a thread of its own: asked before a sample, answered when the driver has answered.
 *
 * Used by one thread.  Nothing here waits: who asks looks later whether there is an answer.  The reading begins at
 * `due_ns`, so that it ends just before the next sample and its values are not old then.
 */
#ifndef RT_GPU_READER_H
#define RT_GPU_READER_H

#include "backend.h"

struct gpu_use {
	size_t device;                          /* of the answer */
	struct gpu_process process;
};

struct gpu_answer {
	int64_t began_ns, ended_ns;             /* the machine's clock: not one turned by hand */
	size_t n, n_uses;
	struct gpu_device device[GPU_MAX];      /* those that were selected, with their values */
	bool uses_known[GPU_MAX];               /* by device: all processes that use it are among the uses ... */
	bool held[GPU_MAX];                     /* ... or a process of the job has its node open */
	struct gpu_use use[GPU_PROCESSES_MAX];
	bool pids_are_ours;                     /* else `held` is all that is known of whose they are */
};

enum gpu_state { GPU_OPENING, GPU_READING, GPU_NONE, GPU_FAILED };      /* NONE: nothing was found after all */

struct gpu_reader;

/* The backends that find something to look for here, at most `room` of them: how many. */
size_t gpu_backends_present(const struct gpu_backend *ret[], size_t room, const struct source *src);

/*
 * Starts the thread and opens the backend in it.  `selected`: gpu_select.h; NULL: all.  -EAGAIN: no thread can be had;
 * -ENOMEM.
 */
int  gpu_reader_open(struct gpu_reader **ret, const struct gpu_backend *backend, const struct source *src,
		     const char *selected) must_use;
/* Ends it.  A driver that does not come back within `wait_seconds` is left to itself, and frees all when it does. */
void gpu_reader_close(struct gpu_reader *r, double wait_seconds);       /* NULL is fine */

/* Asks for values of `due_ns` and later; it must not be busy. */
void gpu_reader_ask(struct gpu_reader *r, int64_t due_ns, const pid_t *job, size_t n_job);
bool gpu_reader_busy(struct gpu_reader *r);
/* The last one that is whole; good until the next call of this.  NULL: nothing was read yet. */
const struct gpu_answer *gpu_reader_answer(struct gpu_reader *r);
/* All while it is not busy. */
enum gpu_state gpu_reader_state(const struct gpu_reader *r);
const char *gpu_reader_why(const struct gpu_reader *r);                 /* told once; "": nothing */
/* How many devices it has listed, and which items of `selected` one of them is meant by (gpu_select_matched). */
size_t gpu_reader_devices(const struct gpu_reader *r, uint64_t *ret_matched);
double gpu_reader_seconds(const struct gpu_reader *r);  /* from due_ns to the answer, by the slowest lately */
const struct gpu_backend *gpu_reader_backend(const struct gpu_reader *r);

#endif
