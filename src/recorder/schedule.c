/* schedule.c - when samples are due. */
#include "schedule.h"

#include <sys/timerfd.h>
#include <unistd.h>

int schedule_open(struct schedule *s)
{
	s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return s->timer < 0 ? -errno : 0;
}

void schedule_close(struct schedule *s)
{
	close_p(&s->timer);
}

static struct timespec time_of(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NS_PER_SECOND, .tv_nsec = ns % NS_PER_SECOND };
}

void schedule_start(struct schedule *s, int64_t now_ns, double interval_seconds)
{
	s->begin_ns = now_ns;
	s->interval_ns = (int64_t)(interval_seconds * 1e9);

	struct itimerspec when = {
		.it_value = time_of(s->begin_ns + s->interval_ns), .it_interval = time_of(s->interval_ns),
	};

	(void)timerfd_settime(s->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

void schedule_stop(struct schedule *s)
{
	struct itimerspec never = { 0 };

	(void)timerfd_settime(s->timer, 0, &never, NULL);
}

bool schedule_due(struct schedule *s, struct due *ret)
{
	uint64_t n;

	if (read(s->timer, &n, sizeof n) != (ssize_t)sizeof n || n == 0)
		return false;
	s->expired += n;
	*ret = (struct due){ .due_ns = s->begin_ns + (int64_t)s->expired * s->interval_ns, .missed = n - 1 };
	return true;
}

void schedule_forget(struct schedule *s)
{
	struct due due;

	(void)schedule_due(s, &due);
}

int64_t schedule_next_ns(const struct schedule *s)
{
	return s->begin_ns + (int64_t)(s->expired + 1) * s->interval_ns;
}
