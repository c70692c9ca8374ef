/* spread.c - how the ranks of a job differ. */
#include "spread.h"

#include <math.h>

const struct spread_info spreads[SPREAD_COUNT] = {
	[SPREAD_DURATION] = { "duration", "duration_seconds", UNIT_SECONDS },
	[SPREAD_CPU] = { "CPU time", "cpu_seconds", UNIT_SECONDS },
	[SPREAD_CORES] = { "cores", "mean_cores", UNIT_CORES },
	[SPREAD_MEMORY] = { "memory", "peak_memory_bytes", UNIT_BYTES },
	[SPREAD_WAITED] = { "waiting", "waited_seconds", UNIT_SECONDS },
};

double rank_waited_seconds(const struct rank *r)
{
	double lost = NONE;

	for (enum loss i = 0; i < LOSS_COUNT; i++)
		if (!is_none(r->lost_seconds[i]))
			lost = is_none(lost) ? r->lost_seconds[i] : lost + r->lost_seconds[i];
	return lost > r->seconds ? r->seconds : lost;
}

static double value_of(const struct rank *r, const struct job_use *use, enum spread_of what)
{
	switch (what) {
	case SPREAD_DURATION: return r->seconds;
	case SPREAD_CPU: return r->cpu_seconds;
	case SPREAD_CORES: return r->seconds > 0 ? r->cpu_seconds / r->seconds : NONE;
	case SPREAD_MEMORY: return rank_memory(r, use->pss);
	case SPREAD_WAITED: return rank_waited_seconds(r);
	case SPREAD_COUNT: break;
	}
	return NONE;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The smallest value that at least this share of them does not exceed. */
static double at_share(const double *sorted, size_t n, double share)
{
	return sorted[size_min(n - 1, size_max(1, (size_t)ceil(share * (double)n)) - 1)];
}

/* Without what needs an order of the values, which are left in `values`. */
static struct spread spread_of_ranks(double *values, const struct ranks *ranks, const struct job_use *use,
				     enum spread_of what)
{
	struct spread s = { NONE, NONE, NONE, NONE, NONE, NONE, 0, 0, 0 };
	double sum = 0;

	for (size_t i = 0; i < ranks->n; i++) {
		double value = value_of(&ranks->at[i], use, what);

		if (is_none(value))
			continue;
		if (s.ranks == 0 || value < s.least) {
			s.least = value;
			s.least_rank = i;
		}
		if (s.ranks == 0 || value > s.most) {
			s.most = value;
			s.most_rank = i;
		}
		sum += value;
		values[s.ranks++] = value;
	}
	s.mean = s.ranks > 0 ? sum / (double)s.ranks : NONE;
	s.imbalance = s.mean > 0 ? s.most / s.mean : NONE;
	return s;
}

int spread_read(struct spread *ret, const struct ranks *ranks, const struct job_use *use, enum spread_of what)
{
	double *values = calloc(ranks->n + 1, sizeof *values);

	if (!values)
		return -ENOMEM;
	*ret = spread_of_ranks(values, ranks, use, what);
	if (ret->ranks > 0) {
		qsort(values, ret->ranks, sizeof *values, ascending);
		ret->median = at_share(values, ret->ranks, 0.5);
		ret->p95 = at_share(values, ret->ranks, 0.95);
	}
	free(values);
	return 0;
}
