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

static struct spread of_known(const double *by_rank, size_t n)
{
	struct spread s = { NONE, NONE, NONE, NONE, NONE, NONE, 0, 0, 0 };
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double value = by_rank[i];

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
		s.ranks++;
	}
	s.mean = s.ranks > 0 ? sum / (double)s.ranks : NONE;
	s.imbalance = s.mean > 0 ? s.most / s.mean : NONE;
	return s;
}

struct spread spread_of_values(double *by_rank, size_t n)
{
	struct spread s = of_known(by_rank, n);
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!is_none(by_rank[i]))
			by_rank[known++] = by_rank[i];
	if (known > 0) {
		qsort(by_rank, known, sizeof *by_rank, ascending);
		s.median = at_share(by_rank, known, 0.5);
		s.p95 = at_share(by_rank, known, 0.95);
	}
	return s;
}

int spread_read(struct spread *ret, const struct ranks *ranks, const struct job_use *use, enum spread_of what)
{
	double *by_rank = calloc(ranks->n + 1, sizeof *by_rank);

	if (!by_rank)
		return -ENOMEM;
	for (size_t i = 0; i < ranks->n; i++)
		by_rank[i] = value_of(&ranks->at[i], use, what);
	*ret = spread_of_values(by_rank, ranks->n);
	free(by_rank);
	return 0;
}
