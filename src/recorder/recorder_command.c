/* recorder_command.c - runs a command and records it; a failure of the recorder never keeps it from running. */
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "../text/sentence.h"
#include "adopted_child.h"
#include "recorder_state.h"

enum { MOMENT_NS = 2000000 };

/* More descriptors for large trees.  The command has been forked already, so it keeps its own limit. */
static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* A command runs without a record, too. */
void recorder_open_record(struct recorder *r)
{
	struct why why = { "" };

	if (session_open_record(r->session, &r->inherited, &why) < 0 && why.text[0])
		session_notice(r->session, why.text);
}

static int exit_status(const struct run_status *status)
{
	return status->end == RUN_SIGNALED ? 128 + status->value : status->value;
}

/* A failure of the recorder must not keep the command from running: if no process can be forked, it runs in ours. */
int recorder_run_unrecorded(struct recorder *r, struct why *why)
{
	char *const *argv = r->options->run.command;

	if (r->options->adopted)                /* adopted_child_finish lets it run */
		return RECORDER_FAILED;
	sentence_print(NULL, "%s; the command runs without being recorded", why->text);
	(void)unsetenv(RECORD_VARIABLE);
	int error = child_become(argv, &r->inherited, options_private_variables);

	(void)why_set(why, error, "cannot run '%s': %s", argv[0], strerror(-error));
	return child_exec_status(-error);
}

/* With an output for samples: opens the machine's collectors first, so samples cover the whole command. */
static void poll_and_go(struct recorder *r, struct child *child)
{
	recorder_open_record(r);
	session_go(r->session, false);
	recorder_listen_to_regions(r);
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
	recorder_open_record(r);
	session_write_now(r->session);          /* while the command runs */
	int64_t until = session_now(r->session) + MOMENT_NS;

	do
		recorder_wait_for_events(r, 1);
	while (!r->leave && session_now(r->session) < until);
	r->moment = r->leave;
	if (!r->moment)
		recorder_listen_to_regions(r);
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

/* Forks the command, or takes the child that is there, which stays in its control group.  -errno with a sentence. */
static int prepare(struct recorder *r, struct child *ret, struct why *why)
{
	const struct options *o = r->options;

	if (!o->adopted) {
		struct child_group group = session_cgroup(r->session);

		session_offer_regions(r->session);
		session_name_record(r->session);
		return child_prepare(ret, o->run.command, &r->inherited, options_private_variables, group, why);
	}
	session_name_record(r->session);
	adopted_child_prepare(ret, o->adopted);
	return 0;
}

int recorder_run_command(struct recorder *r, struct why *why)
{
	char *const *argv = r->options->run.command;
	struct child child;
	struct why reason = { "" };

	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (prepare(r, &child, why) < 0) {
		session_forked(r->session, false, false);
		return recorder_run_unrecorded(r, why);
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
		recorder_start_timer(r);
		recorder_plan_poll(r);
	}
	recorder_loop(r);

	int error = child_exec_error(&child);

	if (error < 0) {
		session_cancel(r->session);
		(void)why_set(why, error, "cannot run '%s': %s", argv[0], strerror(-error));
		return child_exec_status(-error);
	}
	if (recording) {
		session_last_sample(r->session);
		r->status.left_behind = left_behind(r);
		recorder_read_late_signals(r);
	}
	return exit_status(&r->status);
}
