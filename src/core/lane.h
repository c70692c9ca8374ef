/*
 * lane.h - one thread for what can block (statvfs on a dead server, a helper program), so that
 * the sampling thread never does.
 *
 * A job is a function and its context.  While a job waits or runs, its context belongs to the
 * lane; when lane_busy says false, to the owner again, who then sees all that the job wrote.
 * lane_submit and lane_busy hold a lock that the thread never holds while a job runs.
 */
#ifndef RT_LANE_H
#define RT_LANE_H

#include "base.h"

struct lane;

struct lane_job {
	void (*run)(void *context);
	void  *context;                         /* tells jobs apart; not NULL */
};

/*
 * Starts the thread: all signals blocked, a small stack, room for `jobs_max` jobs waiting.
 * -EAGAIN where no thread can be had (pids.max, RLIMIT_NPROC), -ENOMEM.
 */
int  lane_open(struct lane **ret, size_t jobs_max) must_use;
/* The same for jobs that need more stack than statvfs: libraries of others. */
int  lane_open_deep(struct lane **ret, size_t jobs_max, size_t stack_bytes) must_use;
/* -EAGAIN: no room, or the job before with the same context has not ended. */
int  lane_submit(struct lane *l, struct lane_job job) must_use;
bool lane_busy(struct lane *l, const void *context);
/*
 * Drops the jobs that wait and ends the thread.  NULL is fine.  -ETIMEDOUT: a job still runs after
 * `wait_seconds`; its thread is left to itself, and the contexts of jobs that were busy must stay
 * where they are until the process ends: lost on purpose, because nothing can take them back from
 * a thread that sleeps in the kernel.
 */
int  lane_close(struct lane *l, double wait_seconds);

#endif
