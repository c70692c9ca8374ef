/* signals.c - signals as the wrapper sees them. */
#include "signals.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* All but what means our own failure (SEGV and the like) and what cannot be caught. */
static void handled_signals(sigset_t *ret)
{
	static const int own[] = { SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP,
				   SIGSYS, SIGPIPE };

	(void)sigfillset(ret);
	for (size_t i = 0; i < countof(own); i++)
		(void)sigdelset(ret, own[i]);
}

int signals_open(struct inherited_signals *inherited)
{
	struct sigaction plain = { .sa_handler = SIG_DFL }, ignore = { .sa_handler = SIG_IGN };
	sigset_t handled;

	handled_signals(&handled);
	if (sigprocmask(SIG_BLOCK, &handled, &inherited->mask) < 0)
		return -errno;
	(void)sigaction(SIGCHLD, &plain, &inherited->child);
	(void)sigaction(SIGPIPE, &ignore, &inherited->pipe);

	int fd = signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK);

	return fd < 0 ? -errno : fd;
}

bool signal_from_process(const struct signalfd_siginfo *info)
{
	/* Our own write beyond RLIMIT_FSIZE: the kernel names the writer as sender (generic_write_check_limits()). */
	if (info->ssi_signo == SIGXFSZ && info->ssi_pid == (uint32_t)getpid())
		return false;
	return info->ssi_code == SI_USER || info->ssi_code == SI_QUEUE || info->ssi_code == SI_TKILL;
}

bool signal_ends_watching(const struct signalfd_siginfo *info)
{
	return info->ssi_signo == SIGINT || info->ssi_signo == SIGTERM || info->ssi_signo == SIGHUP ||
	       info->ssi_signo == SIGQUIT;
}

void signal_pass_on(pid_t pid, const struct signalfd_siginfo *info)
{
	if (info->ssi_code == SI_QUEUE)
		(void)sigqueue(pid, (int)info->ssi_signo, (union sigval){ .sival_int = info->ssi_int });
	else
		(void)kill(pid, (int)info->ssi_signo);
}

static bool in_foreground(void)
{
	auto_close int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);

	return terminal >= 0 && tcgetpgrp(terminal) == getpgrp();
}

bool signals_stop_with(int signal)
{
	struct timespec at_once = { 0 };
	sigset_t only, mask;

	(void)sigemptyset(&only);
	if (signal == SIGSTOP && !in_foreground())
		return false;
	/* By the same signal, so that the shell says the same word about it. */
	(void)raise(signal);
	if (signal != SIGSTOP) {
		(void)sigaddset(&only, signal);
		(void)sigprocmask(SIG_UNBLOCK, &only, &mask);
		(void)sigprocmask(SIG_SETMASK, &mask, NULL);
	}
	(void)sigemptyset(&only);
	(void)sigaddset(&only, SIGCONT);
	(void)sigtimedwait(&only, NULL, &at_once);
	return true;
}

void signals_die_by(int signal)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	struct rlimit none = { 0, 0 };
	sigset_t only;

	(void)setrlimit(RLIMIT_CORE, &none);
	(void)sigaction(signal, &plain, NULL);
	(void)raise(signal);
	(void)sigemptyset(&only);
	(void)sigaddset(&only, signal);
	(void)sigprocmask(SIG_UNBLOCK, &only, NULL);
}
