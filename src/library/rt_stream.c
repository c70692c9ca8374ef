/*
 * rt_stream.c - writes CSV rows at a fixed interval until a process ends or the caller stops it.
 *
 * To stop it takes one write to an eventfd, which is safe in a signal handler.  The end of the process is reported by
 * a pidfd; before Linux 5.3 it is checked in the tree at each row.
 */
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>

#include "../core/output_file.h"
#include "../tree/tree.h"
#include "rt_tracker.h"

struct rt_stream {
	struct rt_tracker *tracker;
	enum rt_csv layout;
	double interval_seconds, start_seconds;
	bool header;
	int output, stop, process;              /* descriptors; process: a pidfd, -1: none */
	bool owns_output;
	_Atomic int status;                     /* enum rt_stream_status */
};

enum event { EVENT_DEADLINE, EVENT_STOP, EVENT_EXIT };

static int64_t now_ns(const struct rt_stream *s)
{
	const struct source *src = sampler_source(s->tracker->sampler);

	return src->monotonic_ns(src->clock);
}

/* Sleeps until the deadline or an event. */
static enum event wait_until(const struct rt_stream *s, int64_t deadline_ns)
{
	for (;;) {
		struct pollfd fds[] = {
			{ .fd = s->stop, .events = POLLIN }, { .fd = s->process, .events = POLLIN },
		};
		int64_t left = deadline_ns - now_ns(s);
		struct timespec time = { 0 };

		if (left > 0)
			time = (struct timespec){ .tv_sec = left / NS_PER_SECOND, .tv_nsec = left % NS_PER_SECOND };

		int n = ppoll(fds, countof(fds), &time, NULL);

		if (n > 0 && fds[0].revents)
			return EVENT_STOP;
		if (n > 0 && fds[1].revents)
			return EVENT_EXIT;
		if (n == 0 && left <= 0)
			return EVENT_DEADLINE;
	}
}

static int write_row(struct rt_stream *s)
{
	int r = rt_sample(s->tracker);

	if (r < 0)
		return r;

	ssize_t n = rt_print_csv(s->tracker, s->layout, s->output);

	return n < 0 ? (int)n : 0;
}

/* Without a pidfd: no process of the tree is alive any more. */
static bool is_over(const struct rt_stream *s)
{
	const struct tree *tree = s->process < 0 ? sampler_tree(s->tracker->sampler) : NULL;

	return tree && tree_alive(tree) == 0;
}

static int run(struct rt_stream *s, enum rt_stream_status *ret)
{
	const struct source *src = sampler_source(s->tracker->sampler);
	int64_t interval = (int64_t)(s->interval_seconds * 1e9), next = now_ns(s);
	int64_t early = (int64_t)(s->start_seconds * 1e9) - src->wall_ns(src->clock);
	int r = 0;

	if (s->start_seconds > 0 && early > 0) {
		next += early;
		if (wait_until(s, next) == EVENT_STOP)
			return 0;
		r = rt_sample(s->tracker);
	}
	if (r == 0 && s->header) {
		ssize_t n = rt_print_csv_header(s->layout, s->output);

		r = n < 0 ? (int)n : 0;
	}
	while (r == 0) {
		/* A late row skips the missed ones; the phase stays. */
		next += interval * ((now_ns(s) - next) / interval + 1);

		enum event event = wait_until(s, next);

		if (event == EVENT_STOP)
			break;
		r = write_row(s);
		if (event == EVENT_EXIT || is_over(s)) {
			*ret = RT_STREAM_EXITED;
			break;
		}
	}
	return r;
}

int rt_stream_run(struct rt_stream *s)
{
	enum rt_stream_status end = RT_STREAM_STOPPED;
	int ready = RT_STREAM_READY;

	if (!atomic_compare_exchange_strong(&s->status, &ready, RT_STREAM_RUNNING))
		return ready == RT_STREAM_RUNNING ? -EBUSY : 0;

	int r = run(s, &end);

	atomic_store(&s->status, (int)end);
	return r;
}

void rt_stream_stop(struct rt_stream *s)
{
	const uint64_t one = 1;
	int saved = errno;

	(void)!write(s->stop, &one, sizeof one);
	errno = saved;
}

int rt_stream_diff(struct rt_stream *s)
{
	return rt_sample(s->tracker);
}

struct rt_tracker *rt_stream_tracker(struct rt_stream *s)
{
	return s->tracker;
}

enum rt_stream_status rt_stream_status(const struct rt_stream *s)
{
	return (enum rt_stream_status)atomic_load(&s->status);
}

void rt_stream_close(struct rt_stream *s)
{
	if (!s)
		return;
	rt_close(s->tracker);
	if (s->owns_output)
		close_p(&s->output);
	close_p(&s->stop);
	close_p(&s->process);
	free(s);
}

static int stream_open(struct rt_stream *s, pid_t pid, const struct rt_stream_options *o,
		       char *reason, size_t reason_size)
{
	struct rt_options options;
	struct why why;
	int r;

	rt_options_init(&options, sizeof options);
	options.interval_seconds = s->interval_seconds;
	options.no_children = o->no_children;
	if (pid > 0) {
		options.pids = &pid;
		options.n_pids = 1;
		s->process = (int)syscall(SYS_pidfd_open, pid, 0);
	}
	s->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->stop < 0)
		return reason_give(reason, reason_size, &why,
				   why_set(&why, -errno, "no eventfd: %s", strerror(errno)));
	if (o->output_path) {
		struct why cause;

		s->output = output_file_open(o->output_path, 0644, false, &cause);
		s->owns_output = true;
		if (s->output < 0)
			return reason_give(reason, reason_size, &why,
					   why_set(&why, s->output, "cannot write %s: %s", o->output_path,
						   cause.text));
	}
	r = rt_open(&s->tracker, &options, reason, reason_size);
	return r < 0 ? r : rt_sample(s->tracker);
}

static int open_and_start(struct rt_stream **ret, pid_t pid, enum rt_csv layout,
			  const struct rt_stream_options *options, char *reason, size_t reason_size)
{
	struct rt_stream_options o = { 0 };
	struct why why = { "" };
	int r = options_copy(&o, sizeof o, options);

	if (r < 0) {
		options_refused(&why, r, "rt_stream_options_init");
		return reason_give(reason, reason_size, &why, r);
	}
	/* The longest interval is a day: a longer one is a mistake of units. */
	if (pid < 0 || !(o.interval_seconds >= 0 && o.interval_seconds <= 86400) ||
	    (o.interval_seconds > 0 && o.interval_seconds < 1e-3) ||
	    !(o.start_seconds >= 0 && o.start_seconds < 1e9 * 9))
		return reason_give(reason, reason_size, &why,
				   why_set(&why, -EINVAL, "an option is out of its range"));

	struct rt_stream *s = calloc(1, sizeof *s);

	if (!s)
		return reason_give(reason, reason_size, &why, why_set(&why, -ENOMEM, "out of memory"));
	s->layout = layout;
	s->interval_seconds = o.interval_seconds > 0 ? o.interval_seconds : 1;
	s->start_seconds = o.start_seconds;
	s->header = !o.no_header;
	s->output = STDOUT_FILENO;
	s->stop = s->process = -1;
	atomic_init(&s->status, RT_STREAM_READY);
	r = stream_open(s, pid, &o, reason, reason_size);
	if (r < 0) {
		rt_stream_close(s);
		return r;
	}
	*ret = s;
	return o.autostart ? rt_stream_run(s) : 0;
}

int rt_pid_tracker(struct rt_stream **ret, pid_t pid, const struct rt_stream_options *options,
		   char *reason, size_t reason_size)
{
	return open_and_start(ret, pid ? pid : getpid(), RT_CSV_PROCESS, options, reason, reason_size);
}

int rt_system_tracker(struct rt_stream **ret, const struct rt_stream_options *options,
		      char *reason, size_t reason_size)
{
	return open_and_start(ret, 0, RT_CSV_SYSTEM, options, reason, reason_size);
}
