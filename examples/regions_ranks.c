/*
 * regions_ranks.c - processes that work on one thing together, as the ranks of an MPI program do:
 *     resource-tracker -- ./regions_ranks
 *
 * Each has regions of its own.  Times are those of all ranks together; elapsed_seconds in the record is the time in which
 * any of them was there.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "resource_tracker_regions.h"

enum { RANKS = 4, STEPS = 3 };

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void burn(double how_long)
{
	double end = seconds(CLOCK_THREAD_CPUTIME_ID) + how_long;

	while (seconds(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* Waits for a token from the left, and passes it on to the right. */
static int exchange(int from, int to)
{
	char token;

	return read(from, &token, 1) == 1 && write(to, &token, 1) == 1;
}

static int work(int rank, int from, int to)
{
	int good = 1;

	RT_REGION("step loop")
		for (int step = 0; good && step < STEPS; step++) {
			RT_REGION("compute") { burn(0.02 * (rank + 1)); }       /* the last one has most to do */
			RT_REGION("exchange") { good = exchange(from, to); }
		}
	return good ? 0 : 1;
}

int main(void)
{
	int ring[RANKS][2], failed = 0, status;

	for (int i = 0; i < RANKS; i++)
		if (pipe(ring[i]) < 0)
			return 1;
	for (int rank = 0; rank < RANKS; rank++)
		if (fork() == 0)
			_exit(work(rank, ring[rank][0], ring[(rank + 1) % RANKS][1]));
	if (write(ring[0][1], "x", 1) != 1)
		return 1;
	while (wait(&status) > 0)
		failed |= status != 0;
	return failed;
}
