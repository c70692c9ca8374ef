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

/* The time of deadline `number`, counted from 1. */
static int64_t deadline_ns(const struct schedule *s, uint64_t number)
{
	return s->begin_ns + (number >= s->deadlines ? s->duration_ns : (int64_t)number * s->interval_ns);
}

static void arm(struct schedule *s)
{
	bool last = s->expired + 1 >= s->deadlines;
	struct itimerspec when = {
		.it_value = time_of(deadline_ns(s, s->expired + 1)), .it_interval = time_of(last ? 0 : s->interval_ns),
	};

	(void)timerfd_settime(s->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

void schedule_start(struct schedule *s, int64_t now_ns, double interval_seconds, double duration_seconds)
{
	/* A rest of less than this part of an interval at the end does not get a deadline of its own. */
	static const double REST_LEAST = 0.01;

	s->begin_ns = now_ns;
	s->interval_ns = (int64_t)(interval_seconds * 1e9);
	s->deadlines = UINT64_MAX;
	if (duration_seconds > 0) {
		double intervals = duration_seconds / interval_seconds;
		uint64_t whole = (uint64_t)intervals;

		s->duration_ns = (int64_t)(duration_seconds * 1e9);
		s->deadlines = whole + (whole == 0 || intervals - (double)whole > REST_LEAST ? 1 : 0);
	}
	arm(s);
}

void schedule_stop(struct schedule *s)
{
	struct itimerspec never = { 0 };

	(void)timerfd_settime(s->timer, 0, &never, NULL);
}

bool schedule_due(struct schedule *s, struct due *ret)
{
	uint64_t n;

	if (read(s->timer, &n, sizeof n) != (ssize_t)sizeof n || n == 0 || schedule_over(s))
		return false;
	if (n > s->deadlines - s->expired)
		n = s->deadlines - s->expired;
	s->expired += n;
	*ret = (struct due){ .due_ns = deadline_ns(s, s->expired), .missed = n - 1 };
	if (s->expired + 1 == s->deadlines)
		arm(s);
	return true;
}

void schedule_forget(struct schedule *s)
{
	struct due due;

	/* The last deadline must still come. */
	if (schedule_due(s, &due) && schedule_over(s)) {
		s->expired--;
		arm(s);
	}
}

int64_t schedule_next_ns(const struct schedule *s)
{
	return deadline_ns(s, s->expired + 1);
}

bool schedule_over(const struct schedule *s)
{
	return s->expired >= s->deadlines;
}
