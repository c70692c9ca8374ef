/* own_cost.c - the CPU time that the recorder used in all. */
#include "own_cost.h"

#include <stdint.h>
#include <time.h>

#include "../core/base.h"

/* More than this no exec costs: a program that became us by exec used it. */
static const int64_t EXEC_MOST_NS = 20000000;

static int64_t begin_ns;

static int64_t used_ns(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

void own_cost_begin(void)
{
	int64_t used = used_ns();

	begin_ns = used > EXEC_MOST_NS ? used : 0;
}

double own_cost_seconds(void)
{
	return (double)(used_ns() - begin_ns) / (double)NS_PER_SECOND;
}
