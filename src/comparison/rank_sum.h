/*
 * rank_sum.h - tests whether values of one side are larger than those of the other by more than chance: the rank-sum
 * test of Wilcoxon, Mann and Whitney, one-sided and exact, also with equal values.  It assumes no distribution of the
 * values.  None of them is NONE.
 */
#ifndef RT_RANK_SUM_H
#define RT_RANK_SUM_H

#include "../core/base.h"

enum { RANK_SUM_MOST = 64 };                    /* on a side */

/* The number of pairs in which the value of `low` is the larger one; a pair of equal values counts half. */
double rank_sum_pairs(const double *low, size_t n_low, const double *high, size_t n_high);
/*
 * The probability of so few such pairs, or fewer, if the same values were divided by chance.  1 if a side is empty or has
 * more than RANK_SUM_MOST values, or memory is short.
 */
double rank_sum_chance(const double *low, size_t n_low, const double *high, size_t n_high);

/*
 * Whether `high` is significantly above `low`: the probability is at most 1 %; or every one of `high` is larger than
 * every one of `low`, however few they are.  No side may be empty.
 */
bool rank_sum_stands_out(const double *low, size_t n_low, const double *high, size_t n_high);

#endif
