/* perf_clock.c - a process and all that it starts, counted by the kernel. */
#include "perf_clock.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

static int open_event(uint64_t event, pid_t pid)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof a, .config = event, .inherit = 1,
		/* Asks for the lesser right.  The task clock runs in kernel mode all the same. */
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	long fd = syscall(SYS_perf_event_open, &a, pid, -1, -1, (unsigned long)PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int perf_clock_open(struct perf_clock *ret, pid_t pid)
{
	struct perf_clock p = { .clock = open_event(PERF_COUNT_SW_TASK_CLOCK, pid), .faults = -1 };
	int r = p.clock;

	if (r >= 0)
		r = p.faults = open_event(PERF_COUNT_SW_PAGE_FAULTS, pid);
	if (r < 0) {
		perf_clock_close(&p);
		return r;
	}
	*ret = p;
	return 0;
}

static int read_event(int fd, uint64_t *ret)
{
	uint64_t value;
	ssize_t n = read(fd, &value, sizeof value);

	if (n != (ssize_t)sizeof value)
		return n < 0 ? -errno : -EIO;
	*ret = value;
	return 0;
}

int perf_clock_read(const struct perf_clock *p, uint64_t *ret_ns, uint64_t *ret_faults)
{
	uint64_t ns = 0, faults = 0;
	int r = read_event(p->clock, &ns);

	if (r == 0)
		r = read_event(p->faults, &faults);
	if (r < 0)
		return r;
	*ret_ns = ns;
	*ret_faults = faults;
	return 0;
}

void perf_clock_close(struct perf_clock *p)
{
	close_p(&p->clock);
	close_p(&p->faults);
}
