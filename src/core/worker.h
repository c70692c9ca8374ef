/*
 * worker.h - one thread for calls that can block (statvfs on a dead server, a helper program), so that the sampling
 * thread never blocks.
 *
 * A job is a function and its context.  While a job waits or runs, its context belongs to the worker.  When worker_busy
 * returns false, the context belongs to the owner again, and all writes of the job are visible.  worker_submit and
 * worker_busy take a lock that the thread never holds while a job runs.
 */
#ifndef RT_WORKER_H
#define RT_WORKER_H

#include "base.h"

struct worker;

struct worker_job {
	void (*run)(void *context);
	void  *context;                         /* identifies the job; not NULL */
};

/*
 * Starts the thread: all signals blocked, a small stack, room for `jobs_max` waiting jobs.  -EAGAIN: no thread can be
 * started (pids.max, RLIMIT_NPROC); -ENOMEM.
 */
int  worker_open(struct worker **ret, size_t jobs_max) must_use;                /* jobs_max: at least 1 */
/* The same for jobs that need more stack than statvfs, such as calls of foreign libraries. */
int  worker_open_deep(struct worker **ret, size_t jobs_max, size_t stack_bytes) must_use;
/* -EAGAIN: no room, or the previous job with the same context has not ended; the context stays the owner's. */
int  worker_submit(struct worker *l, struct worker_job job) must_use;
bool worker_busy(struct worker *l, const void *context);        /* its job waits or runs */
/*
 * Drops the waiting jobs, waits for the running one, and ends the thread.  NULL is fine.  l is gone in any case.
 * -ETIMEDOUT: a job still runs after `wait_seconds`.  Its thread is abandoned, and the contexts of busy jobs must stay
 * valid until the process exits.  They leak on purpose, because a thread that sleeps in the kernel cannot release them.
 */
int  worker_close(struct worker *l, double wait_seconds);

#endif
