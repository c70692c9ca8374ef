/* thread_clocks.c - CPU time of threads that already run, and of all that they start from now on. */
#include "thread_clocks.h"

#include <errno.h>
#include <stdlib.h>

#include "perf_clock.h"

int thread_clocks_init(struct thread_clocks *c)
{
	*c = (struct thread_clocks){ .at = calloc(THREAD_CLOCKS_MAX, sizeof(struct thread_clock)) };
	return c->at ? 0 : -ENOMEM;
}

int thread_clocks_add(struct thread_clocks *c, pid_t thread)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->at[i].thread == thread)
			return false;
	if (c->n == THREAD_CLOCKS_MAX)
		return -E2BIG;
	c->at[c->n++] = (struct thread_clock){ thread, -1 };
	return true;
}

int thread_clocks_open(struct thread_clocks *c)
{
	bool first = c->opened == 0;

	for (; c->opened < c->n; c->opened++) {
		int fd = perf_clock_open_thread(c->at[c->opened].thread);

		if (fd < 0 && fd != -ESRCH)
			return fd;
		c->at[c->opened].fd = fd < 0 ? -1 : fd;
	}
	if (first)
		c->sure = c->n;
	return 0;
}

int thread_clocks_read(const struct thread_clocks *c, struct thread_clocks_time *ret)
{
	struct thread_clocks_time now = { 0 };

	for (size_t i = 0; i < c->opened; i++) {
		uint64_t ns = 0;
		ssize_t n = c->at[i].fd >= 0 ? read(c->at[i].fd, &ns, sizeof ns) : (ssize_t)sizeof ns;

		if (n != (ssize_t)sizeof ns)
			return n < 0 ? -errno : -EIO;
		*(i < c->sure ? &now.sure_ns : &now.unsure_ns) += ns;
	}
	*ret = now;
	return 0;
}

void thread_clocks_close(struct thread_clocks *c)
{
	for (size_t i = 0; i < c->opened; i++)
		close_p(&c->at[i].fd);
	free(c->at);
	*c = (struct thread_clocks){ .at = NULL };
}
