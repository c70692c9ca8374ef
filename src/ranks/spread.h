/*
 * spread.h - how the ranks of a job differ, and which of them held it up.
 */
#ifndef RT_SPREAD_H
#define RT_SPREAD_H

#include "job_use.h"

enum spread_of { SPREAD_DURATION, SPREAD_CPU, SPREAD_CORES, SPREAD_MEMORY, SPREAD_WAITED, SPREAD_COUNT };

struct spread_info { const char *name, *key; enum unit unit; };         /* "duration", "duration_seconds" */
extern const struct spread_info spreads[SPREAD_COUNT];

/* Over the ranks that have the value; NONE: no rank has it. */
struct spread {
	double least, median, p95, most, mean;
	double imbalance;                       /* most / mean: 1 is balanced; NONE also where the mean is 0 */
	size_t ranks, least_rank, most_rank;    /* how many; indices in struct ranks */
};

/* by_rank: NONE: unknown; it has another order afterwards. */
struct spread spread_of_values(double *by_rank, size_t n);
/* -ENOMEM. */
int  spread_read(struct spread *ret, const struct ranks *ranks, const struct job_use *use,
		 enum spread_of what) must_use;

/* The time that a rank lost by waiting, at most its duration; NONE: none of it is known. */
double rank_waited_seconds(const struct rank *r);

/*
 * A rank that took at least a tenth, and a second, longer than the median rank; or that waited or computed for at least
 * a tenth, and a second, more of its time.  The reason is what it did for longer than the median rank, in a sentence.
 */
struct straggler {
	size_t rank;                            /* index in struct ranks */
	double behind;                          /* by which share of its time: for their order */
	const char *cause;                      /* "throttled", "swapping", "disk", "other_load", "cpu", "work", "unknown" */
	char   why[200];
};

/* The worst first; the caller frees *ret.  -ENOMEM. */
int  stragglers_find(struct straggler **ret, size_t *ret_n, const struct ranks *ranks,
		     const struct job_use *use) must_use;

#endif
