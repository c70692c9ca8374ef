/* busy.c - processes that keep the machine busy beside the trials. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify.h"

static _Noreturn void burn(pid_t parent)
{
	/* Whatever becomes of verify, nothing is left running. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	for (volatile unsigned long i = 0;; i++)
		;
}

int busy_begin(struct busy *b, size_t n, struct why *why)
{
	pid_t self = getpid();

	for (b->n = 0; b->n < n; b->n++) {
		pid_t pid = fork();

		if (pid == 0)
			burn(self);
		if (pid < 0) {
			int error = errno;

			busy_end(b);
			return why_set(why, -error, "--busy: fork: %s", strerror(error));
		}
		b->pid[b->n] = pid;
	}
	return 0;
}

void busy_end(struct busy *b)
{
	for (size_t i = 0; i < b->n; i++)
		(void)kill(b->pid[i], SIGKILL);
	for (size_t i = 0; i < b->n; i++)
		(void)waitpid(b->pid[i], NULL, 0);
	b->n = 0;
}
