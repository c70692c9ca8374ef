/* runs_order.h - the order of a list of runs. */
#ifndef RT_RUNS_ORDER_H
#define RT_RUNS_ORDER_H

#include "past_run.h"

/* A column to sort by.  Numbers and times: the largest, or newest, first; texts by the alphabet. */
struct runs_order { size_t column; bool reversed; };

/* "-name" is the reverse.  -EINVAL with a sentence. */
int  runs_order_read(struct runs_order *ret, const char *name, struct why *why) must_use;
/* Sorts the runs.  Unknown values are last in either order; of equal ones the order stays.  Without memory all stay. */
void runs_sort(const struct past_run **runs, size_t n, const struct runs_order *order);

#endif
