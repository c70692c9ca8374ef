/* perf_clock.c - the kernel's counters of a process and of all that it starts. */
#include "perf_clock.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>

static const struct { uint64_t event; bool in_kernel; } counts[PERF_COUNTS] = {
	/* The task clock also runs in kernel mode.  To exclude that only lowers the required privilege. */
	[PERF_CLOCK_NS] = { PERF_COUNT_SW_TASK_CLOCK, false },
	[PERF_FAULTS] = { PERF_COUNT_SW_PAGE_FAULTS, false },
	[PERF_MIGRATIONS] = { PERF_COUNT_SW_CPU_MIGRATIONS, true },
};

static int open_event(enum perf_count c, pid_t pid)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof a, .config = counts[c].event, .inherit = 1,
		.exclude_kernel = !counts[c].in_kernel, .exclude_hv = 1,
		/* Off until exec: such an event is added without an interrupt to the process's CPU. */
		.disabled = c != PERF_CLOCK_NS, .enable_on_exec = c != PERF_CLOCK_NS,
	};
	long fd = syscall(SYS_perf_event_open, &a, pid, -1, -1, (unsigned long)PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int perf_clock_open_thread(pid_t thread)
{
	return open_event(PERF_CLOCK_NS, thread);
}

int perf_clock_open(struct perf_clock *ret, pid_t pid)
{
	struct perf_clock p = PERF_CLOCK_CLOSED;

	for (enum perf_count c = PERF_FAULTS; c < PERF_COUNTS; c++) {
		int fd = open_event(c, pid);

		if (fd < 0 && !counts[c].in_kernel) {
			perf_clock_close(&p);
			return fd;
		}
		if (fd < 0)                             /* other events in the kernel fail too */
			break;
		p.fd[c] = fd;
	}
	*ret = p;
	return 0;
}

int perf_clock_begin(struct perf_clock *p, pid_t pid, const struct sideband *rings)
{
	int r = rings ? 0 : open_event(PERF_CLOCK_NS, pid);

	if (r < 0)
		perf_clock_close(p);
	else if (rings)
		p->rings = rings;
	else
		p->fd[PERF_CLOCK_NS] = r;
	return r < 0 ? r : 0;
}

int perf_clock_read(const struct perf_clock *p, uint64_t ret[PERF_COUNTS])
{
	uint64_t now[PERF_COUNTS] = { 0 };
	int r = p->rings ? sideband_cpu_time(p->rings, &now[PERF_CLOCK_NS]) : 0;

	if (r < 0)
		return r;
	for (enum perf_count c = 0; c < PERF_COUNTS; c++) {
		ssize_t n = p->fd[c] >= 0 ? read(p->fd[c], &now[c], sizeof now[c]) : (ssize_t)sizeof now[c];

		if (n != (ssize_t)sizeof now[c])
			return n < 0 ? -errno : -EIO;
	}
	memcpy(ret, now, sizeof now);
	return 0;
}

void perf_clock_close(struct perf_clock *p)
{
	for (enum perf_count c = 0; c < PERF_COUNTS; c++)
		close_p(&p->fd[c]);
	p->rings = NULL;
}
