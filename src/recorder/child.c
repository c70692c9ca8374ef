/* child.c - starts the command. */
#include "child.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../core/signal_mask.h"
#include "become.h"

extern char **environ;

static bool is_private(const char *entry, const char *const *names)
{
	for (; *names; names++) {
		size_t n = strlen(*names);

		if (strncmp(entry, *names, n) == 0 && entry[n] == '=')
			return true;
	}
	return false;
}

/* Removes the variables in place: this process is about to become another program. */
static void remove_private(char **entries, const char *const *names)
{
	char **kept = entries;

	for (char **entry = entries; *entry; entry++)
		if (!is_private(*entry, names))
			*kept++ = *entry;
	*kept = NULL;
}

int child_become(char *const *argv, const struct inherited_signals *signals, const char *const *private_variables)
{
	remove_private(environ, private_variables);
	(void)sigaction(SIGCHLD, &signals->child, NULL);
	(void)sigaction(SIGPIPE, &signals->pipe, NULL);
	(void)signal_mask_set(signals->mask);
	return become(argv, environ);
}

/*
 * A thread that writes 0 into version 1's `tasks` moves only itself.  For that the kernel does not have to stop all
 * forks and exits first: 28 us instead of 9 to 37 ms (cgroup_procs_write_start in kernel/cgroup/cgroup.c).
 */
static void join(int tasks, int reported)
{
	int error = write(tasks, "0", 1) == 1 ? 0 : errno;

	(void)!write(reported, &error, sizeof error);
}

/* Reads the result of join.  false also if the child ended before it wrote one. */
static bool has_joined(int reported)
{
	int error = 0;
	ssize_t n;

	while ((n = read(reported, &error, sizeof error)) < 0 && errno == EINTR)
		;
	return n == (ssize_t)sizeof error && error == 0;
}

static _Noreturn void wait_and_become(const struct child *c, char *const *argv,
				      const struct inherited_signals *signals, const char *const *private_variables)
{
	/* POLLERR on the pipe: the recorder, its only reader, is gone. */
	struct pollfd reported[] = { { .fd = c->go, .events = POLLIN }, { .fd = c->failed } };

	while (poll(reported, countof(reported), -1) < 0 && errno == EINTR)
		;
	if (!(reported[0].revents & POLLIN))
		_exit(125);                     /* the command was not started */

	int error = -child_become(argv, signals, private_variables);

	(void)!write(c->failed, &error, sizeof error);
	_exit(child_exec_status(error));
}

/*
 * fork(2) into a control group, without the delay of moving a process later (percpu_down_write in
 * kernel/cgroup/cgroup.c).  It bypasses the C library, so the child can only call async-signal-safe functions and exec.
 * Seccomp filters often return ENOSYS.
 */
static pid_t fork_into(int cgroup)
{
	struct clone_args args = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD, .cgroup = (unsigned)cgroup };

	return (pid_t)syscall(SYS_clone3, &args, sizeof args);
}

int child_prepare(struct child *ret, char *const *argv, const struct inherited_signals *signals,
		  const char *const *private_variables, struct child_group group, struct why *why)
{
	/*
	 * An eventfd, not a pipe: the scheduler expects the writer of a pipe to sleep soon, so it would wake the child
	 * on our CPU, where the child would wait until we have created the record's file (WF_SYNC in
	 * kernel/sched/fair.c).
	 */
	int go = eventfd(0, EFD_CLOEXEC), failed[2];

	if (go < 0)
		return why_set(why, -errno, "cannot make an eventfd: %s", strerror(errno));
	if (pipe2(failed, O_CLOEXEC) < 0) {
		int error = errno;

		close_p(&go);
		return why_set(why, -error, "cannot make a pipe: %s", strerror(error));
	}

	siginfo_t before;
	struct child c = { .alone = waitid(P_ALL, 0, &before, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD };

	c.pid = group.folder >= 0 ? fork_into(group.folder) : -1;
	c.in_cgroup = c.pid >= 0;
	if (c.pid < 0)
		c.pid = fork();

	if (c.pid == 0) {
		c.go = go;
		c.failed = failed[1];
		close_p(&failed[0]);
		if (group.tasks >= 0)
			join(group.tasks, c.failed);
		wait_and_become(&c, argv, signals, private_variables);
	}

	int error = errno;

	close_p(&failed[1]);
	c.go = go;
	c.failed = failed[0];
	if (c.pid < 0) {
		close_p(&c.go);
		close_p(&c.failed);
		return why_set(why, -error, "cannot start a process: %s", strerror(error));
	}
	if (group.tasks >= 0)
		c.in_cgroup = has_joined(c.failed);
	*ret = c;
	return 0;
}

void child_go(struct child *c)
{
	static const uint64_t one = 1;

	(void)!write(c->go, &one, sizeof one);
	close_p(&c->go);
}

int child_exec_error(struct child *c)
{
	int error = 0;
	/* A successful exec closes the other end, so there is nothing to read. */
	ssize_t n = read(c->failed, &error, sizeof error);

	close_p(&c->failed);
	return n == (ssize_t)sizeof error ? -error : 0;
}

int child_exec_status(int error)
{
	return error == ENOENT ? 127 : 126;
}
