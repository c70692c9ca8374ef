/* roots.c - the processes that the recorder is attached to. */
#include "roots.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

void roots_open(struct roots *r, const pid_t *pids, size_t n)
{
	*r = (struct roots){ .pids = pids, .n = n, .alive = n };
	for (size_t i = 0; i < n; i++) {
		r->fd[i] = (int)syscall(SYS_pidfd_open, pids[i], 0);
		if (r->fd[i] < 0 && errno == ESRCH)
			r->alive--;
		else if (r->fd[i] < 0)
			r->polled = true;
	}
}

void roots_close(struct roots *r)
{
	for (size_t i = 0; i < r->n; i++)
		close_p(&r->fd[i]);
}

void roots_ended(struct roots *r, size_t i)
{
	close_p(&r->fd[i]);                     /* which removes it from the epoll set */
	r->alive--;
}

void roots_poll(struct roots *r)
{
	bool any = false;

	for (size_t i = 0; i < r->n; i++)
		any = any || kill(r->pids[i], 0) == 0 || errno != ESRCH;
	if (!any)
		r->alive = 0;
}
