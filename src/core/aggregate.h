/*
 * aggregate.h - combines many samples into one: mean, maximum and sum of every metric, for the summary of a run and for
 * the coarser rows of a record.  Walks tables[]; names no metric.
 *
 * Means are weighted by the intervals of the samples.  Rows of tables are matched by key.  Memory grows with the number
 * of rows, never with that of samples.  A table keeps its first AGGREGATE_ROWS_MAX keys (or as many as a sample can
 * hold); later keys are left out, as are new keys when memory is short.  Without locks: for one thread.
 *
 * Maxima and minima of rates (amounts, cores) leave out samples shorter than 0.1 s unless such intervals are usual: the
 * last sample can come a millisecond after the one before, and a kernel tick of 10 ms in it would look like ten cores.
 * If no sample is left, they are the mean.
 */
#ifndef RT_AGGREGATE_H
#define RT_AGGREGATE_H

#include "limits.h"
#include "metrics.h"

struct aggregate;

struct statistic {
	double mean;                            /* by time; for amounts: sum / seconds known */
	double maximum, minimum;                /* of the samples' values (levels) or rates per second (amounts) */
	double sum;                             /* amounts: all; levels: mean * seconds */
	double last;
	double seconds;                         /* time for which the metric was known */
};

struct aggregate *aggregate_open(void);         /* the caller closes it; NULL: out of memory */
void aggregate_close(struct aggregate *a);      /* NULL is fine */
void aggregate_clear(struct aggregate *a);      /* as opened, but it remembers the usual interval */

/*
 * A sample without interval (the baseline) counts for the last value, and for maximum and minimum of levels, but not in
 * aggregate_samples.  A level that is known only there has that value as its mean, and 0 seconds.
 */
void aggregate_add(struct aggregate *a, const struct sample *s);

size_t  aggregate_samples(const struct aggregate *a);
double  aggregate_seconds(const struct aggregate *a);   /* the sum of their intervals */
/*
 * m: a pointer into tables[t].metrics, here of TABLE_TOTAL.  If it was never known, `last` and all others are NONE; 0
 * seconds alone do not say so.
 */
struct statistic aggregate_total(const struct aggregate *a, const struct metric *m);
size_t  aggregate_rows(const struct aggregate *a, enum table t);        /* keys, in order of appearance */
/* row: less than aggregate_rows.  Valid until the next aggregate_add. */
const char *aggregate_key(const struct aggregate *a, enum table t, size_t row);
/* The row with this key, searched from `hint` on.  Without one, the number of rows, for which aggregate_row has NONE. */
size_t  aggregate_find(const struct aggregate *a, enum table t, const char *key, size_t hint);
struct statistic aggregate_row(const struct aggregate *a, enum table t, size_t row, const struct metric *m);

/* The maximum memory of a program.  It is unknown if the program lived only between samples, which then hold 0. */
static inline double bytes_seen(double maximum)
{
	return maximum > 0 ? maximum : NONE;
}

/*
 * Restores an aggregate from its results (the footer of a record): the statistics of one metric in the row with this
 * key ("" in TABLE_TOTAL), and the number and the duration of all samples.  Without a known mean nothing is restored.
 */
void aggregate_restore(struct aggregate *a, enum table t, const char *key, const struct metric *m,
		       const struct statistic *known);
void aggregate_restore_extent(struct aggregate *a, size_t samples, double seconds);

#endif
