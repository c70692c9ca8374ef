/* thread.h - starts a thread with a small stack, on which no signal of the process is ever handled. */
#ifndef RT_THREAD_H
#define RT_THREAD_H

#include <pthread.h>

#include "base.h"

/*
 * Runs it on a stack of at least that many bytes.  The caller joins or detaches the thread.  -EAGAIN: no thread can be
 * started (limits, memory), and ret means nothing.
 */
int thread_start(pthread_t *ret, size_t stack_bytes, void *(*run)(void *), void *context) must_use;

#endif
