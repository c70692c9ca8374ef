/* recorder.c - the loop: takes samples when they are due, follows the command, and ends. */
#include "recorder.h"

#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "../text/sentence.h"
#include "detach.h"
#include "roots.h"
#include "schedule.h"
#include "session.h"
#include "signals.h"

enum { OWN_FAILURE = 125, MOMENT_NS = 2000000 };

/* The source of an event; root i of an attachment is FROM_ROOT + i. */
enum { FROM_TIMER, FROM_SIGNALS, FROM_READER, FROM_REGIONS, FROM_ROOT };

struct recorder {
	const struct options *options;
	enum mode mode;
	struct session *session;
	struct inherited_signals inherited;
	int epoll, signals;
	struct roots roots;
	struct schedule schedule;
	int64_t poll_due_ns;                    /* next poll between samples; 0: none before the next sample */

	pid_t command;                          /* 0: none */
	bool terminal_interrupt;                /* the terminal sent ^C or ^\ */
	bool moment;                            /* the command ended before a thread was started */
	struct run_status status;               /* end != RUN_RUNNING: the command or the watch is over */
	bool asked;                             /* a signal ended an attachment, between two samples */
	bool leave;                             /* ends the loop */
	int detached;                           /* for detach_ready; -1: nothing waits for it */
};

/* ---- beginning ------------------------------------------------------------------------- */

static bool listen_to(struct recorder *r, int fd, uint64_t from, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.u64 = from };

	return epoll_ctl(r->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Opens the descriptors without which there is no loop, before others use up the limit. */
static int open_loop(struct recorder *r, struct why *why)
{
	r->signals = signals_open(&r->inherited);
	r->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (r->signals < 0 || r->epoll < 0 || schedule_open(&r->schedule) < 0 ||
	    !listen_to(r, r->schedule.timer, FROM_TIMER, EPOLLIN) || !listen_to(r, r->signals, FROM_SIGNALS, EPOLLIN))
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

/* More descriptors for large trees.  The command has been forked already, so it keeps its own limit. */
static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static void start_timer(struct recorder *r)
{
	schedule_start(&r->schedule, session_now(r->session), r->options->run.interval_seconds,
		       r->options->duration_seconds);
}

static void plan_poll(struct recorder *r)
{
	r->poll_due_ns = session_next_poll(r->session, schedule_next_ns(&r->schedule));
}

static void listen_to_roots(struct recorder *r)
{
	roots_open(&r->roots, r->options->run.pids, r->options->run.n_pids);
	for (size_t i = 0; i < r->roots.n; i++)
		if (r->roots.fd[i] >= 0 && !listen_to(r, r->roots.fd[i], FROM_ROOT + i, EPOLLIN))
			r->roots.polled = true;
}

/* ---- the command ------------------------------------------------------------------------ */

static void command_ended(struct recorder *r, const siginfo_t *info)
{
	bool exited = info->si_code == CLD_EXITED;

	r->status.end = exited ? RUN_EXITED : RUN_SIGNALED;
	r->status.value = info->si_status;
	r->status.core_dumped = info->si_code == CLD_DUMPED;
	if (!r->options->wait_descendants)
		r->leave = true;
}

/*
 * Finds a child of the first thread that has ended: the command, or an orphan that the recorder adopted.  A worker that
 * started a program (zpool, the GPU reader) waits for it itself.  waitid() has __WNOTHREAD only since Linux 4.7.
 */
static int find_ended(siginfo_t *ret)
{
	enum { OPTIONS = WEXITED | WNOHANG | WNOWAIT };
	int r = waitid(P_ALL, 0, ret, OPTIONS | __WNOTHREAD);

	return r < 0 && errno == EINVAL ? waitid(P_ALL, 0, ret, OPTIONS) : r;
}

/* Reaps one child that has ended; false: no child has. */
static bool reap_one(struct recorder *r)
{
	struct tree *tree = session_tree(r->session);
	struct rusage usage;
	siginfo_t info = { 0 };

	if (find_ended(&info) < 0) {
		/* ECHILD after the command's end: no descendant is left to wait for. */
		if (errno == ECHILD && r->status.end != RUN_RUNNING)
			r->leave = true;
		return false;
	}
	if (info.si_pid == 0)
		return false;
	if (tree)
		tree_zombie(tree, info.si_pid);
	if (info.si_pid == r->command && (info.si_code != CLD_EXITED || info.si_status != 0))
		ending_observe(session_evidence(r->session), r->command);
	if (wait4(info.si_pid, NULL, 0, &usage) == info.si_pid && tree)
		tree_reaped(tree, info.si_pid, &usage);
	if (info.si_pid == r->command)
		command_ended(r, &info);
	return true;
}

/* The command was stopped: stops the recorder as well, and continues together with the command. */
static void stop_with_command(struct recorder *r, int signal)
{
	while (signals_stop_with(signal)) {
		siginfo_t info = { 0 };

		schedule_forget(&r->schedule);
		(void)waitid(P_PID, (id_t)r->command, &info, WSTOPPED | WCONTINUED | WNOHANG);
		if (info.si_pid == 0)                   /* only the recorder was continued: continue the command */
			(void)kill(r->command, SIGCONT);
		if (info.si_pid == 0 || info.si_code != CLD_STOPPED)
			return;
		signal = info.si_status;                /* the command was stopped again meanwhile */
	}
}

static void children_changed(struct recorder *r)
{
	siginfo_t info = { 0 };

	while (!r->leave && reap_one(r))
		;
	if (r->status.end != RUN_RUNNING)
		return;
	if (waitid(P_PID, (id_t)r->command, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid == r->command)
		stop_with_command(r, info.si_status);
}

static void command_signal(struct recorder *r, const struct signalfd_siginfo *info)
{
	int signal = (int)info->ssi_signo;

	if (signal == SIGCHLD)
		children_changed(r);
	else if (signal_from_ring(info) && session_tree(r->session))
		tree_drain(session_tree(r->session));
	else if (signal_from_process(info)) {
		signal_pass_on(r->command, info);
		session_passed_on(r->session, info);
	} else if (signal == SIGINT || signal == SIGQUIT) {
		r->terminal_interrupt = session_evidence(r->session)->terminal = true;
	}
}

/* ---- the loop --------------------------------------------------------------------------- */

static void end_watching(struct recorder *r, enum run_end how)
{
	if (r->status.end == RUN_RUNNING)
		r->status.end = how;
	r->leave = true;
}

/*
 * SIGTERM ends a run that is watched.  With a value (sigqueue(3)) it is sent to a recorder in the background by the
 * program that measures itself, which so says how its work ended: as a command that exits with this status.
 */
static void end_as_asked(struct recorder *r, const struct signalfd_siginfo *info)
{
	bool says_how = r->options->detach && info->ssi_signo == SIGTERM && info->ssi_code == SI_QUEUE;

	if (says_how)
		r->status.value = info->ssi_int & 0xff;
	end_watching(r, says_how ? RUN_EXITED : RUN_STOPPED);
	r->asked = true;
}

static void on_signals(struct recorder *r)
{
	struct signalfd_siginfo info;

	while (!r->leave && read(r->signals, &info, sizeof info) == (ssize_t)sizeof info) {
		if (r->command)
			command_signal(r, &info);
		else if (signal_ends_watching(&info))
			end_as_asked(r, &info);
		else if (info.ssi_signo == SIGTSTP) {
			(void)signals_stop_with(SIGTSTP);
			schedule_forget(&r->schedule);
		}
	}
}

static void end_without_roots(struct recorder *r)
{
	if (r->roots.alive == 0)
		end_watching(r, RUN_ROOTS_ENDED);
}

/* Whether the requested number of samples is taken, or the duration is over. */
static bool enough(const struct recorder *r)
{
	const struct options *o = r->options;

	return (o->samples > 0 && session_taken(r->session) >= o->samples) || schedule_over(&r->schedule);
}

static void on_timer(struct recorder *r)
{
	struct due due;

	if (!schedule_due(&r->schedule, &due))
		return;
	session_sample(r->session, due.due_ns, due.missed);
	if (r->roots.polled) {
		roots_poll(&r->roots);
		end_without_roots(r);
	}
	plan_poll(r);
	if (!enough(r))
		return;
	/* Around a command only sampling ends here; the recorder waits for the command. */
	if (r->command) {
		schedule_stop(&r->schedule);
		session_pause(r->session);
		r->poll_due_ns = 0;
	} else {
		end_watching(r, RUN_STOPPED);
	}
}

static void on_event(struct recorder *r, uint64_t from)
{
	if (from == FROM_TIMER)
		on_timer(r);
	else if (from == FROM_SIGNALS)
		on_signals(r);
	else if (from == FROM_READER)
		end_watching(r, RUN_STOPPED);
	else if (from == FROM_REGIONS)
		session_called(r->session);
	else {
		roots_ended(&r->roots, (size_t)(from - FROM_ROOT));
		end_without_roots(r);
	}
}

static void wait_for_events(struct recorder *r, int timeout_ms)
{
	struct epoll_event events[16];
	int n = epoll_wait(r->epoll, events, countof(events), timeout_ms);

	for (int i = 0; i < n && !r->leave; i++)
		on_event(r, events[i].data.u64);
}

/* Takes a poll if one is due.  Returns the milliseconds until the next; -1: none is planned. */
static int until_poll(struct recorder *r)
{
	int64_t left_ns = r->poll_due_ns ? r->poll_due_ns - session_now(r->session) : 0;

	if (left_ns < 0) {
		session_poll(r->session);
		plan_poll(r);
		left_ns = r->poll_due_ns ? r->poll_due_ns - session_now(r->session) : 0;
	}
	return r->poll_due_ns ? (int)(left_ns / 1000000 + 1) : -1;
}

static void loop(struct recorder *r)
{
	while (!r->leave) {
		wait_for_events(r, until_poll(r));
		if (!r->command && session_reader_gone(r->session))
			end_watching(r, RUN_STOPPED);
	}
}

/* ---- the two ways to run ---------------------------------------------------------------- */

static void listen_to_regions(struct recorder *r)
{
	int fds[2];

	session_listen(r->session, fds);
	for (size_t i = 0; i < countof(fds); i++)
		if (fds[i] >= 0)
			(void)listen_to(r, fds[i], FROM_REGIONS, EPOLLIN);
}

/* A command runs without a record, too. */
static void open_record(struct recorder *r)
{
	struct why why = { "" };

	if (session_open_record(r->session, &r->inherited, &why) < 0 && why.text[0])
		session_notice(r->session, why.text);
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
		listen_to_regions(r);
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
		return OWN_FAILURE;
	if (r->mode == MODE_ATTACH)
		listen_to_roots(r);
	if (!r->options->output && !r->options->detach)
		(void)listen_to(r, STDOUT_FILENO, FROM_READER, 0);      /* EPERM for a file, which has no reader */
	if (r->options->detach) {
		if (begin_in_background(r, why) < 0)
			return OWN_FAILURE;
	} else {
		open_record(r);
		session_go(r->session, false);
	}
	start_timer(r);
	if (r->mode == MODE_ATTACH)
		end_without_roots(r);
	loop(r);
	/* What was used since the last sample is part of the run. */
	if (r->status.end == RUN_ROOTS_ENDED || (r->asked && r->mode == MODE_ATTACH))
		session_last_sample(r->session);
	return 0;
}

static int exit_status(const struct run_status *status)
{
	return status->end == RUN_SIGNALED ? 128 + status->value : status->value;
}

/* A failure of the recorder must not keep the command from running: if no process can be forked, it runs in ours. */
static int unrecorded(struct recorder *r, struct why *why)
{
	char *const *argv = r->options->run.command;

	sentence_print(NULL, "%s; the command runs without being recorded", why->text);
	(void)unsetenv(RECORD_VARIABLE);
	int error = child_become(argv, &r->inherited, options_private_variables);

	(void)why_set(why, error, "cannot run '%s': %s", argv[0], strerror(-error));
	return child_exec_status(-error);
}

/* With an output for samples: opens the machine's collectors first, so samples cover the whole command. */
static void poll_and_go(struct recorder *r, struct child *child)
{
	open_record(r);
	session_go(r->session, false);
	listen_to_regions(r);
	child_go(child);
}

/*
 * Without one the command waits only for its tree's baseline.  Most commands of a script end at once, and opening the
 * machine's collectors would take longer than they run; so it is skipped for a command that ends within MOMENT_NS.
 */
static void go_and_poll(struct recorder *r, struct child *child, bool recording)
{
	child_go(child);
	if (!recording)
		return;
	open_record(r);
	session_write_now(r->session);          /* while the command runs */
	int64_t until = session_now(r->session) + MOMENT_NS;

	do
		wait_for_events(r, 1);
	while (!r->leave && session_now(r->session) < until);
	r->moment = r->leave;
	if (!r->moment)
		listen_to_regions(r);
	session_go(r->session, r->moment);
}

/*
 * The number of processes that stay after the command's end.  A process that runs at that moment can be about to exit,
 * as the first process of a PID namespace is after it has passed on the command's status; so running processes first
 * get MOMENT_OF_CPU_NS of CPU time, within WAIT_NS.
 */
static size_t left_behind(struct recorder *r)
{
	static const struct timespec little = { .tv_nsec = 500000 };
	static const int64_t MOMENT_OF_CPU_NS = 5000000, WAIT_NS = 500000000;
	struct tree *tree = session_tree(r->session);
	struct tree_left left = { 0 };

	if (!tree || tree_alive(tree) == 0)
		return 0;
	tree_left(tree, &left);

	int64_t until = session_now(r->session) + WAIT_NS, before_ns = left.running_ns;

	while (left.running > 0 && left.running_ns < before_ns + MOMENT_OF_CPU_NS && session_now(r->session) < until) {
		(void)nanosleep(&little, NULL);
		tree_left(tree, &left);
	}
	return left.stay;
}

static int run_command(struct recorder *r, struct why *why)
{
	char *const *argv = r->options->run.command;
	struct child child;
	struct why reason = { "" };

	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	struct child_group group = session_cgroup(r->session);

	session_offer_regions(r->session);
	session_name_record(r->session);

	if (child_prepare(&child, argv, &r->inherited, options_private_variables, group, why) < 0) {
		session_forked(r->session, false, false);
		return unrecorded(r, why);
	}
	r->command = child.pid;
	session_forked(r->session, child.in_cgroup, child.alone);
	raise_descriptor_limit();

	bool recording = session_begin(r->session, child.pid, &reason) == 0;

	if (recording && session_has_output(r->session))
		poll_and_go(r, &child);
	else
		go_and_poll(r, &child, recording);
	if (!recording)
		session_notice(r->session, reason.text);
	else if (!r->leave) {
		start_timer(r);
		plan_poll(r);
	}
	loop(r);

	int error = child_exec_error(&child);

	if (error < 0) {
		session_cancel(r->session);
		(void)why_set(why, error, "cannot run '%s': %s", argv[0], strerror(-error));
		return child_exec_status(-error);
	}
	if (recording) {
		session_last_sample(r->session);
		r->status.left_behind = left_behind(r);
	}
	return exit_status(&r->status);
}

int recorder_run(const struct options *o, struct why *why)
{
	struct recorder r = { .options = o, .mode = options_mode(o), .epoll = -1, .signals = -1,
			      .schedule = SCHEDULE_CLOSED, .detached = -1 };
	int result = OWN_FAILURE;

	if (o->detach && detach_begin(&r.detached, &result, why))
		return result;
	if (session_open(&r.session, o, why) < 0)
		return OWN_FAILURE;

	struct why nothing = { "" };

	if (open_loop(&r, why) == 0)
		result = r.mode == MODE_COMMAND ? run_command(&r, why) : watch(&r, why);
	else if (r.mode == MODE_COMMAND)
		result = unrecorded(&r, why);
	session_finish(r.session, &r.status, &nothing);
	if (nothing.text[0] && result == 0) {
		*why = nothing;
		result = OWN_FAILURE;
	}
	/* A shell ends its script if the command died of ^C; so the recorder must die of the same signal. */
	if (r.terminal_interrupt && r.status.end == RUN_SIGNALED &&
	    (r.status.value == SIGINT || r.status.value == SIGQUIT))
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
