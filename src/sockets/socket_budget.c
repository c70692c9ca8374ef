/* socket_budget.c - the CPU time that may be spent on sockets. */
#include "socket_budget.h"

#include <time.h>

enum {
	DIVISOR = 100,                          /* 1 % of the time */
	FIRST_NS = 10 * 1000 * 1000,
	MOST_NS = 50 * 1000 * 1000,
	LAST_NS = 20 * 1000 * 1000,             /* for the last poll */
};

static int64_t used_ns(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * NS_PER_SECOND + ts.tv_nsec;
}

struct socket_budget socket_budget_open(void)
{
	return (struct socket_budget){ .left_ns = FIRST_NS };
}

double socket_budget_fill(struct socket_budget *b, int64_t now_ns, unsigned slowdown, bool some_known)
{
	double seconds = b->filled_ns ? (double)(now_ns - b->filled_ns) / 1e9 : 0;
	int64_t filled = b->left_ns + (int64_t)(seconds * 1e9 / DIVISOR / slowdown);

	b->left_ns = filled < MOST_NS ? filled : MOST_NS;
	b->reserve_ns = b->left_ns > 0 && some_known ? b->left_ns / 2 : 0;
	b->filled_ns = now_ns;
	b->mark_ns = used_ns();
	return seconds;
}

void socket_budget_raise(struct socket_budget *b)
{
	if (b->left_ns < LAST_NS)
		b->left_ns = LAST_NS;
}

void socket_budget_spend(struct socket_budget *b)
{
	int64_t now = used_ns();

	b->left_ns -= now - b->mark_ns;
	b->mark_ns = now;
}
