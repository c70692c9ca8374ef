/* output.c - writes lines to a destination: a thread behind a bounded queue. */
#include "output.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

#include "../core/thread.h"
#include "line_queue.h"

/* For old C libraries. */
#ifndef STATX_TYPE
#include <linux/stat.h>
#endif
#ifndef RWF_NOWAIT
#include <linux/fs.h>
#endif

enum { STACK_BYTES = 128 * 1024, GATHERED_MOST = 32 };

struct output {
	pthread_mutex_t lock;
	pthread_cond_t filled, drained;
	struct line_queue queue;
	bool waiting;                           /* for output_start: lines stay in the queue */
	bool threaded, closing;
	pid_t thread;                           /* 0: it has not run yet */
	bool abandoned;                         /* output_close has returned: the thread frees everything */
	bool reader_gone;
	bool stuck;                             /* the first line is needed and cannot be written now */
	uint64_t written, dropped;
	int64_t gather_ns, woken_ns;            /* how long lines wait for others; when the thread was last woken */
	struct why failure;                     /* "": none so far */

	int fd;
	bool borrowed, regular, open_anyway;
	int (*open)(void *context, struct why *why);
	void *context;
	void *copy;                             /* of the context; NULL: it is the caller's */
	bool opening;                           /* the thread is in `open` */
	char name[128];
};

/* An inherited descriptor can be non-blocking; other processes share this mode, so it is not changed here. */
static bool wait_for_room(int fd)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	return poll(&room, 1, -1) >= 0 || errno == EINTR;
}

/* Writes the whole line: 0 or -errno.  On a regular file a part of a line is truncated again. */
static int write_line(const struct output *o, const char *line, size_t n)
{
	size_t done = 0;

	while (done < n) {
		ssize_t r = write(o->fd, line + done, n - done);

		if (r < 0 && (errno == EINTR || (errno == EAGAIN && wait_for_room(o->fd))))
			continue;
		if (r <= 0) {
			int error = r < 0 ? -errno : -EIO;
			off_t began = done > 0 && o->regular ? lseek(o->fd, -(off_t)done, SEEK_CUR) : -1;

			if (began >= 0)
				(void)!ftruncate(o->fd, began);
			return error;
		}
		done += (size_t)r;
	}
	return 0;
}

/* Counts the result of write_line, with the lock held.  dropped: after an error the line is not tried again. */
static void wrote(struct output *o, int result, bool dropped)
{
	(void)pthread_cond_signal(&o->drained);
	if (result == 0) {
		o->written++;
		if (o->dropped == 0)            /* nothing was lost: the failure is over */
			o->failure.text[0] = '\0';
		return;
	}
	o->dropped += dropped;
	if (result == -EPIPE)
		o->reader_gone = true;
	if (!o->failure.text[0])
		(void)why_set(&o->failure, 0, "cannot write to %s: %s", o->name, strerror(-result));
}

static void set_descriptor(struct output *o, int fd)
{
	struct stat status;

	o->fd = fd;
	o->regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

static void destroy(struct output *o)
{
	if (!o->borrowed)
		close_p(&o->fd);
	line_queue_close(&o->queue);
	free(o->copy);
	(void)pthread_cond_destroy(&o->filled);
	(void)pthread_cond_destroy(&o->drained);
	(void)pthread_mutex_destroy(&o->lock);
	free(o);
}

/* Opens the destination.  With the lock held, which it releases meanwhile. */
static void open_late(struct output *o)
{
	struct why why = { "" };

	o->opening = true;
	(void)pthread_mutex_unlock(&o->lock);
	int fd = o->open(o->context, &why);
	(void)pthread_mutex_lock(&o->lock);
	o->opening = false;
	(void)pthread_cond_signal(&o->drained);
	if (fd >= 0)
		set_descriptor(o, fd);
	else if (why.text[0])
		o->failure = why;
	else
		(void)why_set(&o->failure, 0, "cannot open %s: %s", o->name, strerror(-fd));
}

/*
 * Writes the first line, with the lock held, which it releases meanwhile.  A needed line stays in front after an error,
 * and is tried again whenever a line is added, as a full disk can get room again.  Only on a regular file: elsewhere a
 * part of the line can have been written, or there is no file at all.
 */
static void write_front(struct output *o)
{
	size_t n;
	bool needed;
	const char *line = line_queue_front(&o->queue, &n, &needed);
	int r = -EBADF;

	(void)pthread_mutex_unlock(&o->lock);
	if (o->fd >= 0)
		r = write_line(o, line, n);
	(void)pthread_mutex_lock(&o->lock);
	o->stuck = r < 0 && needed && o->regular;
	if (!o->stuck)
		line_queue_pop(&o->queue, n);
	wrote(o, r, !o->stuck);
}

static void *write_lines(void *argument)
{
	struct output *o = argument;

	(void)pthread_mutex_lock(&o->lock);
	o->thread = thread_id();
	if (o->open && !o->abandoned)
		open_late(o);
	while (!o->abandoned) {
		if (o->queue.lines > 0 && !o->stuck) {
			write_front(o);
		} else if (o->closing) {
			break;
		} else {
			(void)pthread_cond_wait(&o->filled, &o->lock);
		}
	}
	bool last = o->abandoned;

	if (!o->borrowed)
		close_p(&o->fd);                /* its reader sees the end of the file */
	o->threaded = false;
	(void)pthread_cond_signal(&o->drained);
	(void)pthread_mutex_unlock(&o->lock);
	if (last)
		destroy(o);
	return NULL;
}

static void init_conditions(struct output *o)
{
	pthread_condattr_t monotonic;

	(void)pthread_mutex_init(&o->lock, NULL);
	(void)pthread_condattr_init(&monotonic);
	(void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&o->filled, NULL);
	(void)pthread_cond_init(&o->drained, &monotonic);
	(void)pthread_condattr_destroy(&monotonic);
}

int output_open(struct output **ret, const struct output_options *options, struct why *why)
{
	struct output *o = calloc(1, sizeof *o);

	if (!o || line_queue_open(&o->queue) < 0 ||
	    (options->context_bytes > 0 && !(o->copy = malloc(options->context_bytes)))) {
		if (o)
			line_queue_close(&o->queue);
		free(o);
		return why_set(why, -ENOMEM, "out of memory");
	}
	if (o->copy)
		memcpy(o->copy, options->context, options->context_bytes);
	init_conditions(o);
	(void)snprintf(o->name, sizeof o->name, "%s", options->name);
	o->fd = -1;
	o->borrowed = options->borrowed;
	o->open = options->open;
	o->context = o->copy ? o->copy : options->context;
	if (options->fd >= 0)
		set_descriptor(o, options->fd);
	o->open_anyway = options->open_anyway;
	o->gather_ns = (int64_t)(options->gather_seconds * 1e9);
	o->waiting = true;
	if (!options->later)
		output_start(o, why);
	*ret = o;
	return 0;
}

/* With the lock held. */
static void write_queue(struct output *o)
{
	o->stuck = false;
	while (o->queue.lines > 0 && !o->stuck)
		write_front(o);
}

void output_write_now(struct output *o)
{
	(void)pthread_mutex_lock(&o->lock);
	if (o->waiting && o->fd >= 0)
		write_queue(o);
	(void)pthread_mutex_unlock(&o->lock);
}

void output_start(struct output *o, struct why *why)
{
	if (!o->waiting)
		return;
	o->waiting = false;
	o->threaded = true;

	pthread_t thread;
	int r = thread_start(&thread, STACK_BYTES, write_lines, o);

	if (r == 0) {
		(void)pthread_detach(thread);           /* the last to leave, it or the owner, frees the memory */
		return;
	}
	(void)pthread_mutex_lock(&o->lock);
	o->threaded = false;
	if (o->open && o->open_anyway)
		open_late(o);
	if (o->regular)
		write_queue(o);
	(void)pthread_mutex_unlock(&o->lock);
	(void)why_set(why, 0, "cannot start a thread to write %s (%s): %s", o->name, strerror(-r),
		      o->regular ? "writing without one" : "its lines are left out");
}

/* With the lock held.  false: the queue is full, and the caller must try a needed line again. */
static bool enqueue(struct output *o, const char *line, size_t n, bool needed)
{
	bool fits = n <= LINE_QUEUE_LONGEST;

	if (fits && line_queue_add(&o->queue, line, n, needed))
		return true;
	o->dropped += !(fits && needed);
	return !fits;                   /* a line too long for the queue is dropped, not tried again */
}

static int64_t now_ns(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/* Wakes the thread, unless it is to gather more lines first.  With the lock held. */
static void wake_thread(struct output *o)
{
	if (o->gather_ns > 0 && o->queue.lines < GATHERED_MOST) {
		int64_t now = now_ns();

		if (now < o->woken_ns + o->gather_ns)
			return;
		o->woken_ns = now;
	}
	(void)pthread_cond_signal(&o->filled);
}

static bool put(struct output *o, const char *line, size_t n, bool needed)
{
	bool taken = true;

	(void)pthread_mutex_lock(&o->lock);
	if (o->threaded || o->waiting) {
		taken = enqueue(o, line, n, needed);
		o->stuck = false;
		wake_thread(o);
	} else if (o->regular) {
		taken = enqueue(o, line, n, needed);
		write_queue(o);
	} else {
		o->dropped++;
	}
	(void)pthread_mutex_unlock(&o->lock);
	return taken;
}

void output_put(struct output *o, const char *line, size_t n)
{
	(void)put(o, line, n, false);
}

bool output_put_needed(struct output *o, const char *line, size_t n)
{
	return put(o, line, n, true);
}

uint64_t output_dropped(struct output *o)
{
	(void)pthread_mutex_lock(&o->lock);
	uint64_t dropped = o->dropped;
	(void)pthread_mutex_unlock(&o->lock);
	return dropped;
}

/* The time of pthread_cond_timedwait on `drained`, so many seconds from now. */
static struct timespec in_seconds(double seconds)
{
	int64_t ns = now_ns() + (int64_t)(seconds * 1e9);

	return (struct timespec){ .tv_sec = ns / NS_PER_SECOND, .tv_nsec = ns % NS_PER_SECOND };
}

int output_begun(struct output *o, double wait_seconds, struct why *why)
{
	struct timespec until = in_seconds(wait_seconds);

	(void)pthread_mutex_lock(&o->lock);
	while (o->threaded && o->open_anyway && (o->fd < 0 || o->queue.lines > 0) && o->written == 0 &&
	       !o->failure.text[0] && pthread_cond_timedwait(&o->drained, &o->lock, &until) == 0)
		;
	int r = o->failure.text[0] ? why_set(why, -EIO, "%s", o->failure.text) : 0;

	(void)pthread_mutex_unlock(&o->lock);
	return r;
}

bool output_reader_gone(struct output *o)
{
	(void)pthread_mutex_lock(&o->lock);
	bool gone = o->reader_gone;
	(void)pthread_mutex_unlock(&o->lock);
	return gone;
}

bool output_failure(struct output *o, struct why *ret)
{
	(void)pthread_mutex_lock(&o->lock);
	bool failed = o->failure.text[0] != '\0';

	if (failed)
		*ret = o->failure;
	(void)pthread_mutex_unlock(&o->lock);
	return failed;
}

/* statx by its number: musl has the function only since 1.2.5. */
bool output_is_prompt(int fd)
{
	struct statx status;

	/* Files on a file server have major number 0.  DONT_SYNC: cached attributes, so the server is not asked. */
	return syscall(SYS_statx, fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &status) == 0 &&
	       status.stx_dev_major != 0 && (S_ISREG(status.stx_mode) || S_ISDIR(status.stx_mode));
}

size_t output_now(int fd, const char *text, size_t n)
{
	struct iovec all = { .iov_len = n };

	memcpy(&all.iov_base, &text, sizeof text);      /* iov_base is not const */

	/* pwritev2 by its number, as above; an offset of -1 in both halves means the current offset. */
	ssize_t done = output_is_prompt(fd) ? write(fd, text, n)
					    : syscall(SYS_pwritev2, fd, &all, 1, -1L, -1L, RWF_NOWAIT);

	return done > 0 ? (size_t)done : 0;
}

void output_wake(struct output *o)
{
	(void)pthread_mutex_lock(&o->lock);
	(void)pthread_cond_signal(&o->filled);
	(void)pthread_mutex_unlock(&o->lock);
}

void output_end(struct output *o)
{
	(void)pthread_mutex_lock(&o->lock);
	o->closing = true;
	o->stuck = false;
	(void)pthread_cond_signal(&o->filled);
	(void)pthread_mutex_unlock(&o->lock);
}

/* Whether the thread goes on as soon as it has a CPU.  With the lock held, which it releases meanwhile. */
static bool goes_on(struct output *o)
{
	size_t lines = o->queue.lines;
	pid_t thread = o->thread;

	(void)pthread_mutex_unlock(&o->lock);           /* the thread would sleep for it */
	bool runnable = thread == 0 || thread_is_runnable(thread);
	(void)pthread_mutex_lock(&o->lock);
	return runnable || o->queue.lines != lines;
}

/*
 * Waits until the thread has ended, or hangs after so many seconds.  On a busy machine a thread can be without a CPU
 * for longer than that, and then its destination is not what is slow.  With the lock held.
 */
static void wait_for_thread(struct output *o, double seconds)
{
	static const double AGAIN_SECONDS = 0.05;
	struct timespec until = in_seconds(seconds);

	while (o->threaded)
		if (pthread_cond_timedwait(&o->drained, &o->lock, &until) != 0) {
			if (!goes_on(o))
				return;
			until = in_seconds(AGAIN_SECONDS);
		}
}

uint64_t output_close(struct output *o, double wait_seconds, struct output_end *ret)
{
	if (!o)
		return 0;

	(void)pthread_mutex_lock(&o->lock);
	o->closing = true;
	o->stuck = false;
	if (o->waiting || (!o->threaded && o->regular))
		write_queue(o);
	(void)pthread_cond_signal(&o->filled);
	wait_for_thread(o, wait_seconds);
	while (o->opening && !o->copy)          /* it uses what the caller is about to free */
		(void)pthread_cond_wait(&o->drained, &o->lock);

	uint64_t lost = o->dropped + o->queue.lines;
	bool hangs = o->threaded;

	if (ret)
		*ret = (struct output_end){ o->written, o->reader_gone, o->failure };
	o->abandoned = hangs;
	(void)pthread_mutex_unlock(&o->lock);
	if (!hangs)
		destroy(o);
	return lost;
}
