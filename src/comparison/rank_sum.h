/*
 * rank_sum.h - whether values of one side are larger than those of the other by more than chance: the rank-sum test of
 * Wilcoxon, Mann and Whitney, one-sided and exact.  It asks nothing of how the values are distributed.
 */
#ifndef RT_RANK_SUM_H
#define RT_RANK_SUM_H

#include "../core/base.h"

enum { RANK_SUM_MOST = 64 };                    /* values on a side */

/* In how many of all pairs the value of `low` is the larger one; a pair of equal ones counts half. */
double rank_sum_pairs(const double *low, size_t n_low, const double *high, size_t n_high);
/* How likely so few such pairs, or fewer, are if both sides are alike.  1 for more than RANK_SUM_MOST. */
double rank_sum_chance(double pairs, size_t n_low, size_t n_high);

/*
 * Whether `high` stands out above `low`: the chance is at most 1 %; where there are too few values for that, every one
 * of `high` is larger than every one of `low`.
 */
bool rank_sum_stands_out(const double *low, size_t n_low, const double *high, size_t n_high);

#endif
