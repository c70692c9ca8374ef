/*
 * reader.h - asynchronous access to a driver's GPUs: requests before a sample, answers when the driver has answered.
 *
 * They are read by a program of its own (program.h), or in a thread of ours.  Used by one thread.  Nothing here but
 * gpu_reader_close waits: the caller polls for the answer.  The reading begins at `due_ns`, so that it ends just before
 * the next sample and its values are recent.
 *
 *	gpu_reader_open(&r, ...)                        busy: it opens its driver
 *	if (!gpu_reader_busy(r)) ...                    at each sample: use gpu_reader_answer, check gpu_reader_status
 *		gpu_reader_ask(r, due_ns, pids, n);     for the next one
 */
#ifndef RT_GPU_READER_H
#define RT_GPU_READER_H

#include "protocol.h"

struct gpu_reader;
struct gpu_service;

/*
 * Starts a reader, which opens its driver.  serve: gpu_serve, to run in a thread; NULL: runs the program.
 * `selected`: as in select.h; NULL: all.  Source and texts are copied.  -errno with a sentence in `why`: no such
 * program, or no thread, socket or memory available.
 */
int  gpu_reader_open(struct gpu_reader **ret, const struct gpu_driver *driver, const struct source *src,
		     const char *selected, void (*serve)(const struct gpu_service *), struct why *why) must_use;
/*
 * Ends it.  A program that has not ended within `wait_seconds` is killed; a thread is left running and frees
 * everything itself.
 */
void gpu_reader_close(struct gpu_reader *r, double wait_seconds);       /* NULL is fine */

/*
 * Requests values as of `due_ns` (CLOCK_MONOTONIC) or later; the reader must not be busy.  job: the pids of the tracked
 * tree, copied, for readers that find a job's GPUs by its processes; without memory fewer are sent.
 */
void gpu_reader_ask(struct gpu_reader *r, int64_t due_ns, const pid_t *job, size_t n_job);
/*
 * Receives pending data; returns whether the reply is still incomplete.  If the reader ended or sent what cannot be
 * understood, it returns false, and gpu_reader_status is GPU_FAILED with a sentence.
 */
bool gpu_reader_busy(struct gpu_reader *r);
/* The last complete answer; valid until the next call of gpu_reader_busy.  NULL: none yet. */
const struct gpu_answer *gpu_reader_answer(const struct gpu_reader *r);
/* What the reader reported with its last reply (protocol.h); valid until the next gpu_reader_ask. */
const struct gpu_status *gpu_reader_status(const struct gpu_reader *r);
const struct gpu_driver *gpu_reader_driver(const struct gpu_reader *r);

#endif
