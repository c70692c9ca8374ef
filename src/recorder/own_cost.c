/* own_cost.c - the total CPU time of the recorder. */
#include "own_cost.h"

#include <stdint.h>
#include <time.h>

#include "../core/base.h"

/* No exec costs more than this: if more was used, it was by a program that then became the recorder by exec. */
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
