/*
 * processes.c - the recorder beside R: ending it, and waiting until it has ended.
 *
 * By its pidfd, so that a signal reaches no later process of the same pid; by its pid before Linux 5.3.  It is a child of R only
 * where orphans become children of R: as process 1 of a container.
 */
#include "binding.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

struct process { pid_t pid; int fd; };

static void close_process(SEXP handle)
{
	struct process *process = R_ExternalPtrAddr(handle);

	if (process && process->fd >= 0)
		(void)close(process->fd);
	free(process);
	R_ClearExternalPtr(handle);
}

SEXP open_process(SEXP pid)
{
	SEXP handle = PROTECT(handle_of(NULL, close_process));
	struct process *process = malloc(sizeof *process);

	if (!process)
		Rf_error("out of memory");
	process->pid = Rf_asInteger(pid);
	process->fd = (int)syscall(SYS_pidfd_open, process->pid, 0);
	R_SetExternalPtrAddr(handle, process);
	UNPROTECT(1);
	return handle;
}

static int has_ended(const struct process *process, int milliseconds)
{
	struct pollfd poller = { process->fd, POLLIN, 0 };

	(void)waitpid(process->pid, NULL, WNOHANG);
	if (process->fd >= 0)
		return poll(&poller, 1, milliseconds) > 0;
	if (kill(process->pid, 0) < 0 && errno == ESRCH)
		return 1;
	(void)poll(NULL, 0, milliseconds < 1 ? milliseconds : 1);
	return 0;
}

SEXP process_runs(SEXP handle)
{
	const struct process *process = R_ExternalPtrAddr(handle);

	return Rf_ScalarLogical(process && !has_ended(process, 0));
}

static double now_seconds(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* SIGTERM with a value: the recorder takes it as how the work that it measures has ended. */
static void ask_to_end(const struct process *process, int status)
{
	siginfo_t info;

	memset(&info, 0, sizeof info);
	info.si_signo = SIGTERM;
	info.si_code = SI_QUEUE;
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_int = status;
	if (process->fd >= 0)
		(void)syscall(SYS_pidfd_send_signal, process->fd, SIGTERM, &info, 0);
	else if (!has_ended(process, 0))
		(void)sigqueue(process->pid, SIGTERM, info.si_value);
}

SEXP stop_process(SEXP handle, SEXP status, SEXP seconds)
{
	const struct process *process = R_ExternalPtrAddr(handle);
	double until = now_seconds() + Rf_asReal(seconds);
	int ended = 0;

	if (!process)
		return Rf_ScalarLogical(1);
	ask_to_end(process, Rf_asInteger(status));
	while (!(ended = has_ended(process, 50)) && now_seconds() < until)
		R_CheckUserInterrupt();
	if (ended) {
		(void)waitpid(process->pid, NULL, WNOHANG);
		close_process(handle);
	}
	return Rf_ScalarLogical(ended);
}
