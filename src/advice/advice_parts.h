/* advice_parts.h - shared by the files of the advice: several runs as one, and words. */
#ifndef RT_ADVICE_PARTS_H
#define RT_ADVICE_PARTS_H

#include "advice.h"
#include "run_use.h"

static const double ADVICE_MIB = 1048576, ADVICE_GIB = 1073741824;
enum { RUNS_FOR_HIGH = 5 };

/* The highest known value of a member of struct run_use, and its mean weighted by the runs' time; NONE: unknown. */
double advice_highest(const struct run_use *runs, size_t n, size_t offset);
double advice_mean(const struct run_use *runs, size_t n, size_t offset);
#define HIGHEST(runs, n, member) advice_highest(runs, n, offsetof(struct run_use, member))
#define MEAN(runs, n, member) advice_mean(runs, n, offsetof(struct run_use, member))
double advice_larger(double a, double b);       /* ignores a missing one */

/* The run succeeded, or its format has no exit status. */
bool   advice_succeeded(const struct run_use *u);
/*
 * The larger of the tree's peak in samples and the largest process's own peak, which no sample can miss; plus the peak
 * of swapped memory, which can be of another time.  NONE: unknown.
 */
double advice_memory(const struct run_use *u);
/* Throttled in 5 % of its quota's periods, or 95 % of its cores busy (p95) and threads that wanted 125 % of them. */
bool   advice_wants_cpu(const struct run_use *u);

/* Waits of threads are unknown, so the need can be higher than the use.  Always false for a machine. */
bool   advice_waits_unknown(const struct run_use *u);

/*
 * Fill in amounts, reasons and findings, in this order: findings read the amounts.  Before, `succeeded` and each
 * `confidence` are set.  Runs are the newest first, n >= 1.  `text` is empty before and after.
 */
void advice_needs(struct advice *a, const struct run_use *runs, size_t n, struct buffer *text);
void advice_find(struct advice *a, const struct run_use *runs, size_t n, struct buffer *text);

void advice_settle(char *to, size_t size, struct buffer *text);         /* cut to the size; empties the text */
void advice_cores(struct buffer *text, double cores);                   /* "8", "1.5" */
void advice_plural(struct buffer *text, double n, const char *one);     /* "2 cores" */

#endif
