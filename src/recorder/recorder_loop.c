/* recorder_loop.c - the loop: takes samples when they are due, follows the command, and ends. */
#include <sys/epoll.h>
#include <sys/wait.h>

#include "recorder_state.h"

bool recorder_listen_to(struct recorder *r, int fd, uint64_t from, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.u64 = from };

	return epoll_ctl(r->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

void recorder_listen_to_regions(struct recorder *r)
{
	int fds[2];

	session_listen(r->session, fds);
	for (size_t i = 0; i < countof(fds); i++)
		if (fds[i] >= 0)
			(void)recorder_listen_to(r, fds[i], FROM_REGIONS, EPOLLIN);
}

void recorder_start_timer(struct recorder *r)
{
	schedule_start(&r->schedule, session_now(r->session), r->options->run.interval_seconds,
		       r->options->duration_seconds);
}

void recorder_plan_poll(struct recorder *r)
{
	r->poll_due_ns = session_next_poll(r->session, schedule_next_ns(&r->schedule));
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

/* As signals_stop_with; what we show leaves the terminal meanwhile. */
static bool stop_recorder(struct recorder *r, int signal)
{
	session_stops(r->session);

	bool stopped = signals_stop_with(signal);

	session_continues(r->session);
	return stopped;
}

/* The command was stopped: stops the recorder as well, and continues together with the command. */
static void stop_with_command(struct recorder *r, int signal)
{
	while (stop_recorder(r, signal)) {
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

/* The command is over: only who ended it is of interest. */
static void late_signal(struct recorder *r, const struct signalfd_siginfo *info)
{
	struct ending_evidence *evidence = session_evidence(r->session);
	int signal = (int)info->ssi_signo;

	if (r->status.end != RUN_SIGNALED || signal != r->status.value || signal == evidence->passed_signal)
		return;
	(void)session_signalled(r->session, info);
	evidence->passed_late = true;
}

void recorder_read_late_signals(struct recorder *r)
{
	struct signalfd_siginfo info;

	while (read(r->signals, &info, sizeof info) == (ssize_t)sizeof info)
		if (signal_from_process(&info))
			late_signal(r, &info);
}

static void command_signal(struct recorder *r, const struct signalfd_siginfo *info)
{
	int signal = (int)info->ssi_signo;

	if (signal == SIGCHLD)
		children_changed(r);
	else if (signal_from_ring(info) && session_tree(r->session))
		tree_drain(session_tree(r->session));
	else if (signal_from_process(info)) {
		if (r->status.end != RUN_RUNNING)
			late_signal(r, info);
		else if (session_signalled(r->session, info))
			signal_pass_on(r->command, info);
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

void recorder_end_without_roots(struct recorder *r)
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
		recorder_end_without_roots(r);
	}
	recorder_plan_poll(r);
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
		recorder_end_without_roots(r);
	}
}

void recorder_wait_for_events(struct recorder *r, int timeout_ms)
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
		recorder_plan_poll(r);
		left_ns = r->poll_due_ns ? r->poll_due_ns - session_now(r->session) : 0;
	}
	return r->poll_due_ns ? (int)(left_ns / 1000000 + 1) : -1;
}

void recorder_loop(struct recorder *r)
{
	while (!r->leave) {
		recorder_wait_for_events(r, until_poll(r));
		if (!r->command && session_reader_gone(r->session))
			end_watching(r, RUN_STOPPED);
	}
}
