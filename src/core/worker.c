/* worker.c - one thread that takes jobs from a bounded queue. */
#include "worker.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "thread.h"

enum { STACK_BYTES = 64 * 1024 };

struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;                 /* a job came, the worker closes, the thread has ended */
	bool closing, ended, abandoned;
	struct worker_job running;                /* context NULL: none */
	size_t size, first, n;                  /* the ring of jobs that wait */
	struct worker_job waiting[];
};

static void worker_free(struct worker *l)
{
	(void)pthread_cond_destroy(&l->changed);
	(void)pthread_mutex_destroy(&l->lock);
	free(l);
}

static void *worker_thread(void *argument)
{
	struct worker *l = argument;

	(void)pthread_mutex_lock(&l->lock);
	while (!l->closing) {
		if (l->n == 0) {
			(void)pthread_cond_wait(&l->changed, &l->lock);
			continue;
		}
		l->running = l->waiting[l->first];
		l->first = (l->first + 1) % l->size;
		l->n--;
		(void)pthread_mutex_unlock(&l->lock);
		l->running.run(l->running.context);
		(void)pthread_mutex_lock(&l->lock);
		l->running.context = NULL;
	}
	l->ended = true;
	(void)pthread_cond_broadcast(&l->changed);

	bool abandoned = l->abandoned;

	(void)pthread_mutex_unlock(&l->lock);
	if (abandoned)
		worker_free(l);
	return NULL;
}

int worker_open(struct worker **ret, size_t jobs_max)
{
	return worker_open_deep(ret, jobs_max, STACK_BYTES);
}

int worker_open_deep(struct worker **ret, size_t jobs_max, size_t stack_bytes)
{
	struct worker *l = calloc(1, sizeof *l + jobs_max * sizeof l->waiting[0]);
	pthread_condattr_t monotonic;

	if (!l)
		return -ENOMEM;
	l->size = jobs_max;
	(void)pthread_mutex_init(&l->lock, NULL);
	(void)pthread_condattr_init(&monotonic);
	(void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&l->changed, &monotonic);
	(void)pthread_condattr_destroy(&monotonic);

	int r = thread_start(&l->thread, stack_bytes, worker_thread, l);

	if (r < 0) {
		worker_free(l);
		return r;
	}
	(void)pthread_setname_np(l->thread, "slow-lane");
	*ret = l;
	return 0;
}

static bool busy(const struct worker *l, const void *context)
{
	if (l->running.context == context)
		return true;
	for (size_t i = 0; i < l->n; i++)
		if (l->waiting[(l->first + i) % l->size].context == context)
			return true;
	return false;
}

int worker_submit(struct worker *l, struct worker_job job)
{
	int r = -EAGAIN;

	(void)pthread_mutex_lock(&l->lock);
	if (l->n < l->size && !busy(l, job.context)) {
		l->waiting[(l->first + l->n++) % l->size] = job;
		(void)pthread_cond_broadcast(&l->changed);
		r = 0;
	}
	(void)pthread_mutex_unlock(&l->lock);
	return r;
}

bool worker_busy(struct worker *l, const void *context)
{
	(void)pthread_mutex_lock(&l->lock);

	bool is = busy(l, context);

	(void)pthread_mutex_unlock(&l->lock);
	return is;
}

static struct timespec after(double seconds)
{
	struct timespec t = { 0 };
	int64_t ns = (int64_t)(seconds * (double)NS_PER_SECOND);

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	ns += t.tv_nsec;
	t.tv_sec += ns / NS_PER_SECOND;
	t.tv_nsec = ns % NS_PER_SECOND;
	return t;
}

int worker_close(struct worker *l, double wait_seconds)
{
	if (!l)
		return 0;

	struct timespec until = after(wait_seconds);
	bool late = false;

	(void)pthread_mutex_lock(&l->lock);
	l->closing = true;
	(void)pthread_cond_broadcast(&l->changed);
	/* No job starts any more.  A thread without a running job ends as soon as it gets a CPU: wait for that. */
	while (!l->ended && !(late && l->running.context))
		if (late)
			(void)pthread_cond_wait(&l->changed, &l->lock);
		else
			late = pthread_cond_timedwait(&l->changed, &l->lock, &until) == ETIMEDOUT;
	l->abandoned = !l->ended;

	bool abandoned = l->abandoned;
	pthread_t thread = l->thread;

	(void)pthread_mutex_unlock(&l->lock);
	if (abandoned) {
		(void)pthread_detach(thread);   /* it frees the worker itself, if it ever returns */
		return -ETIMEDOUT;
	}
	(void)pthread_join(thread, NULL);
	worker_free(l);
	return 0;
}
