/* governor.c - keeps our own cost within its budget. */
#include "governor.h"

/* A decision needs at least this time, and whole rounds of samples with and without slow readings. */
static const double ROUND_SECONDS = 5;

void governor_init(struct governor *g, double budget)
{
	*g = (struct governor){ .budget = budget, .slowdown = 1 };
}

void governor_step(struct governor *g, double cpu_seconds, double seconds)
{
	if (g->budget <= 0)
		return;
	g->cpu_seconds += cpu_seconds;
	g->seconds += seconds;
	g->samples++;
	if (g->seconds < ROUND_SECONDS || g->samples % g->slowdown != 0)
		return;

	double share = g->cpu_seconds / g->seconds;

	if (share > g->budget && g->slowdown < GOVERNOR_SLOWEST)
		g->slowdown *= 2;
	/* Twice as many slow readings cost twice as much at most. */
	else if (share < g->budget / 2 && g->slowdown > 1)
		g->slowdown /= 2;
	g->cpu_seconds = g->seconds = 0;
	g->samples = 0;
}
