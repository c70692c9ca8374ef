/* stop_signals.c - SIGTERM and SIGINT by a descriptor. */
#include "stop_signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

int stop_signals_open(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void stop_signals_forget(int fd)
{
	struct signalfd_siginfo info;

	while (read(fd, &info, sizeof info) > 0)
		;
}
