/* signals.c - signals to the recorder around a command. */
#include "signals.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../core/signal_mask.h"

/* All signals except those of the recorder's own failures (SEGV and the like) and those that cannot be caught. */
static uint64_t handled_signals(void)
{
	static const int own[] = { SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP,
				   SIGSYS, SIGPIPE };
	uint64_t handled = SIGNALS_OF_PROGRAMS;

	for (size_t i = 0; i < countof(own); i++)
		handled &= ~SIGNAL_BIT(own[i]);
	return handled;
}

int signals_open(struct inherited_signals *inherited)
{
	struct sigaction plain = { .sa_handler = SIG_DFL }, ignore = { .sa_handler = SIG_IGN };

	inherited->mask = signal_mask_block(handled_signals());
	(void)sigaction(SIGCHLD, &plain, &inherited->child);
	(void)sigaction(SIGPIPE, &ignore, &inherited->pipe);
	return signal_mask_descriptor(handled_signals());
}

bool signal_from_process(const struct signalfd_siginfo *info)
{
	/* After our own write beyond RLIMIT_FSIZE the kernel names us as sender (generic_write_check_limits()). */
	if (info->ssi_signo == SIGXFSZ && info->ssi_pid == (uint32_t)getpid())
		return false;
	return info->ssi_code == SI_USER || info->ssi_code == SI_QUEUE || info->ssi_code == SI_TKILL;
}

int signal_of_rings(void)
{
	return SIGRTMAX;
}

/* The kernel sends SIGIO instead if RLIMIT_SIGPENDING is reached (send_sigio_to_task() in fs/fcntl.c). */
bool signal_from_ring(const struct signalfd_siginfo *info)
{
	return !signal_from_process(info) && (info->ssi_signo == (uint32_t)SIGRTMAX || info->ssi_signo == SIGIO);
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
	sigset_t only;

	if (signal == SIGSTOP && !in_foreground())
		return false;
	/* With the same signal, so that the shell prints the same word about it. */
	(void)raise(signal);
	if (signal != SIGSTOP)
		(void)signal_mask_set(signal_mask_unblock(SIGNAL_BIT(signal)));
	(void)sigemptyset(&only);
	(void)sigaddset(&only, SIGCONT);
	(void)sigtimedwait(&only, NULL, &at_once);
	return true;
}

void signals_die_by(int signal)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
	(void)sigaction(signal, &plain, NULL);
	(void)raise(signal);
	(void)signal_mask_unblock(SIGNAL_BIT(signal));
}
