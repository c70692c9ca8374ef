/*
 * reader.h - a driver's GPUs, asked for before a sample, answered when the driver has answered.
 *
 * They are read by a program of its own (program.h), or in a thread of ours.  Used by one thread.  Nothing here waits:
 * who asks looks later whether there is an answer.  The reading begins at `due_ns`, so that it ends just before the
 * next sample and its values are not old then.
 */
#ifndef RT_GPU_READER_H
#define RT_GPU_READER_H

#include "protocol.h"

struct gpu_reader;
struct gpu_service;

/*
 * Starts it, and has it open its driver.  serve: gpu_serve, to do it in a thread; NULL: the program does.  `selected`:
 * select.h; NULL: all.  -errno with a sentence: there is no such program, or no thread, socket or memory to be had.
 */
int  gpu_reader_open(struct gpu_reader **ret, const struct gpu_driver *driver, const struct source *src,
		     const char *selected, void (*serve)(const struct gpu_service *), struct why *why) must_use;
/* Ends it.  A program that has not ended within `wait_seconds` is killed; a thread is left to itself and frees all. */
void gpu_reader_close(struct gpu_reader *r, double wait_seconds);       /* NULL is fine */

/* Asks for values of `due_ns` and later; it must not be busy. */
void gpu_reader_ask(struct gpu_reader *r, int64_t due_ns, const pid_t *job, size_t n_job);
/* Takes what has come: whether the reply is not whole yet. */
bool gpu_reader_busy(struct gpu_reader *r);
/* The last one that is whole; good until more has come.  NULL: nothing was read yet. */
const struct gpu_answer *gpu_reader_answer(const struct gpu_reader *r);
/* While it is not busy. */
const struct gpu_status *gpu_reader_status(const struct gpu_reader *r);
const struct gpu_driver *gpu_reader_driver(const struct gpu_reader *r);

#endif
