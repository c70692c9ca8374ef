/* recorder.c - sets up the recorder, and watches the machine or processes that run already. */
#include "recorder.h"

#include <limits.h>
#include <string.h>
#include <sys/epoll.h>

#include "../text/path_pattern.h"
#include "detach.h"
#include "recorder_state.h"

/* Opens the descriptors without which there is no loop, before others use up the limit. */
static int open_loop(struct recorder *r, struct why *why)
{
	r->signals = signals_open(&r->inherited);
	r->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (r->signals < 0 || r->epoll < 0 || schedule_open(&r->schedule) < 0 ||
	    !recorder_listen_to(r, r->schedule.timer, FROM_TIMER, EPOLLIN) ||
	    !recorder_listen_to(r, r->signals, FROM_SIGNALS, EPOLLIN))
		return why_set(why, -errno, "cannot set up the recorder: %s", strerror(errno));
	return 0;
}

static void close_loop(struct recorder *r)
{
	close_p(&r->signals);
	close_p(&r->epoll);
	schedule_close(&r->schedule);
	roots_close(&r->roots);
}

static void listen_to_roots(struct recorder *r)
{
	roots_open(&r->roots, r->options->run.pids, r->options->run.n_pids);
	for (size_t i = 0; i < r->roots.n; i++)
		if (r->roots.fd[i] >= 0 && !recorder_listen_to(r, r->roots.fd[i], FROM_ROOT + i, EPOLLIN))
			r->roots.polled = true;
}

/* In the background the record is all that is left of the run, so without one it does not begin. */
static int begin_in_background(struct recorder *r, struct why *why)
{
	int result = session_open_record(r->session, &r->inherited, why);

	if (result == 0) {
		session_go(r->session, false);
		result = session_record_begun(r->session, why);
	}
	if (result == 0) {
		recorder_listen_to_regions(r);
		result = detach_ready(&r->detached, why);
	}
	if (result < 0)
		session_cancel(r->session);
	return result;
}

static int watch(struct recorder *r, struct why *why)
{
	if (r->options->detach)
		session_offer_regions(r->session);
	if (session_begin(r->session, 0, why) < 0)
		return RECORDER_FAILED;
	if (r->mode == MODE_ATTACH)
		listen_to_roots(r);
	if (!r->options->output && !r->options->detach && !r->options->view)
		(void)recorder_listen_to(r, STDOUT_FILENO, FROM_READER, 0);     /* EPERM for a file: no reader */
	if (r->options->detach) {
		if (begin_in_background(r, why) < 0)
			return RECORDER_FAILED;
	} else {
		recorder_open_record(r);
		session_go(r->session, false);
	}
	recorder_start_timer(r);
	if (r->mode == MODE_ATTACH)
		recorder_end_without_roots(r);
	recorder_loop(r);
	/* What was used since the last sample is part of the run. */
	if (r->status.end == RUN_ROOTS_ENDED || (r->asked && r->mode == MODE_ATTACH))
		session_last_sample(r->session);
	return 0;
}

/*
 * Replaces the pattern of --record by the path of this run.  Not before: in the background the recorder is another
 * process.
 */
static int fill_in_record(struct options *o, char *place, size_t size, struct why *why)
{
	struct job job;
	int r;

	if (!o->record || !strchr(o->record, '%'))
		return 0;
	(void)job_from_environment(&job, environ);
	r = path_pattern_write(place, size, o->record, &job);
	if (r < 0)
		return why_set(why, r, "--record: the path is too long");
	o->record = place;
	return 0;
}

int recorder_run(const struct options *given, struct why *why)
{
	struct options filled_in = *given, *o = &filled_in;
	char place[PATH_MAX];
	struct recorder r = { .options = o, .mode = options_mode(o), .epoll = -1, .signals = -1,
			      .schedule = SCHEDULE_CLOSED, .detached = -1 };
	int result = RECORDER_FAILED;

	if (o->detach && detach_begin(&r.detached, &result, why))
		return result;
	if (fill_in_record(o, place, sizeof place, why) < 0 || session_open(&r.session, o, why) < 0)
		return RECORDER_FAILED;

	struct why nothing = { "" };

	if (open_loop(&r, why) == 0)
		result = r.mode == MODE_COMMAND ? recorder_run_command(&r, why) : watch(&r, why);
	else if (r.mode == MODE_COMMAND)
		result = recorder_run_unrecorded(&r, why);
	session_finish(r.session, &r.status, &nothing);
	if (nothing.text[0] && result == 0) {
		*why = nothing;
		result = RECORDER_FAILED;
	}
	/*
	 * A shell ends its script if the command died of ^C; so the recorder must die of the same signal.  Around an
	 * adopted child it stands in for it, and dies of any.
	 */
	if (r.status.end == RUN_SIGNALED &&
	    (o->adopted || (r.terminal_interrupt && (r.status.value == SIGINT || r.status.value == SIGQUIT))))
		signals_die_by(r.status.value);
	/*
	 * After a very short command, leave quickly: the kernel frees all memory and descriptors in a tenth of the
	 * time.
	 */
	if (r.moment && !why->text[0])
		_exit(result);
	session_close(r.session);
	close_loop(&r);
	return result;
}
