/* thread.h - threads with a small stack, on which no signal of the process is ever handled. */
#ifndef RT_THREAD_H
#define RT_THREAD_H

#include <pthread.h>

#include "base.h"

/*
 * Runs it on a stack of at least that many bytes.  The caller joins or detaches the thread.  -EAGAIN: no thread can be
 * started (limits, memory), and ret means nothing.
 */
int thread_start(pthread_t *ret, size_t stack_bytes, void *(*run)(void *), void *context) must_use;

pid_t thread_id(void);                          /* of the calling thread: gettid(2), for old C libraries */
/* Whether a thread of this process runs, or would if it had a CPU: its state in proc(5).  false if that is unknown. */
bool thread_is_runnable(pid_t thread) must_use;

#endif
