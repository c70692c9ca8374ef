/* cost.c - the recorder's cost for the job: at its start, at its end, and in mmap. */
#include "verify.h"

#include <math.h>

enum { PAIRS = 7, STALLS = 2 };

/* The median of an odd number of values; sorts them. */
static double median(double *values, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && values[k] < values[k - 1]; k--) {
			double v = values[k];

			values[k] = values[k - 1];
			values[k - 1] = v;
		}
	return values[n / 2];
}

/* With and without the recorder in turn, so that other load on the machine affects both alike. */
static int start_and_end(struct cost *c, const struct bench *b)
{
	static const char *const load[] = { "nothing", NULL };
	double start[2][PAIRS], end[2][PAIRS];

	for (size_t i = 0; i < 2 * PAIRS; i++) {
		struct trial t;
		size_t with = i % 2;
		int r = trial_run(&t, b, load, 0, with ? AROUND : BARE);

		if (r < 0)
			return r;
		start[with][i / 2] = trial_truth(&t, "began") - t.began;
		end[with][i / 2] = t.ended - trial_truth(&t, "ended");
	}
	c->start_seconds = median(start[1], PAIRS) - median(start[0], PAIRS);
	c->end_seconds = median(end[1], PAIRS) - median(end[0], PAIRS);
	return 0;
}

/* The better of a few runs each: other load on the machine can only make a job wait longer. */
static int stall(struct cost *c, const struct bench *b)
{
	static const char *const load[] = { "mmap", "--rss", "256", "--seconds", "1.2", NULL };
	double longest[2] = { NONE, NONE }, speed[2] = { NONE, NONE };

	for (size_t i = 0; i < 2 * STALLS; i++) {
		struct trial t;
		int r = trial_run(&t, b, load, 0, i % 2 ? AROUND : BARE);

		if (r < 0)
			return r;
		longest[i % 2] = fmin(longest[i % 2], trial_truth(&t, "longest_seconds"));
		speed[i % 2] = fmax(speed[i % 2], trial_truth(&t, "rounds") / trial_truth(&t, "wall_seconds"));
	}
	c->longest_bare_seconds = longest[0];
	c->longest_seconds = longest[1];
	c->speed = speed[1] / speed[0];
	return 0;
}

int cost_measure(struct cost *c, const struct bench *b)
{
	if (start_and_end(c, b) == -EINTR || stall(c, b) == -EINTR)
		return -EINTR;
	return 0;
}
