/* signal_mask.c - rt_sigprocmask() and signalfd4(), without the C library. */
#include "signal_mask.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>

#include "base.h"

static uint64_t change(int how, uint64_t signals)
{
	uint64_t before = 0;

	(void)syscall(SYS_rt_sigprocmask, how, &signals, &before, sizeof signals);
	return before;
}

uint64_t signal_mask_set(uint64_t mask)
{
	return change(SIG_SETMASK, mask);
}

uint64_t signal_mask_block(uint64_t signals)
{
	return change(SIG_BLOCK, signals);
}

uint64_t signal_mask_unblock(uint64_t signals)
{
	return change(SIG_UNBLOCK, signals);
}

int signal_mask_descriptor(uint64_t signals)
{
	int fd = (int)syscall(SYS_signalfd4, -1, &signals, sizeof signals, SFD_CLOEXEC | SFD_NONBLOCK);

	return fd < 0 ? -errno : fd;
}
