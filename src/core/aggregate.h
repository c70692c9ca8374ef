/*
 * aggregate.h - many samples as one: mean, maximum and sum of every metric, for the summary of a
 * run and for the coarser rows of a record.  Walks tables[]; names no metric.
 *
 * Means are weighted by the time that a sample stands for.  Rows of tables are matched by key.
 * Memory grows with the rows seen, never with the samples; a table keeps its AGGREGATE_ROWS_MAX first
 * keys (or as many as a sample can hold), what comes later is left out.
 *
 * Maxima of rates (amounts, cores) leave out samples shorter than 0.1 s unless such intervals are usual:
 * the last sample may come a millisecond after the one before, and a kernel tick of 10 ms in it would
 * look like ten cores.
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

struct aggregate *aggregate_open(void);         /* NULL: out of memory */
void aggregate_close(struct aggregate *a);      /* NULL is fine */
void aggregate_clear(struct aggregate *a);

/*
 * A sample without interval (the baseline) gives its levels no weight, but their maximum counts, and it
 * is none of aggregate_samples.
 */
void aggregate_add(struct aggregate *a, const struct sample *s);

size_t  aggregate_samples(const struct aggregate *a);
double  aggregate_seconds(const struct aggregate *a);
/* All NONE, and no seconds, where the metric was never known. */
struct statistic aggregate_total(const struct aggregate *a, const struct metric *m);
size_t  aggregate_rows(const struct aggregate *a, enum table t);        /* keys seen, in order of first sight */
const char *aggregate_key(const struct aggregate *a, enum table t, size_t row);
/* The row with this key, looking at `hint` first; the number of rows, which has no statistics: none has it. */
size_t  aggregate_find(const struct aggregate *a, enum table t, const char *key, size_t hint);
struct statistic aggregate_row(const struct aggregate *a, enum table t, size_t row, const struct metric *m);

/* The most memory of a program: samples hold 0 of one that lived between them, and how much it had is not known. */
static inline double bytes_seen(double maximum)
{
	return maximum > 0 ? maximum : NONE;
}

/*
 * For whoever has the results of an aggregate (the footer of a record) and wants it back: sets what is
 * known of one metric of the row with this key ("" in TABLE_TOTAL), and how much was added in all.
 */
void aggregate_restore(struct aggregate *a, enum table t, const char *key, const struct metric *m,
		       const struct statistic *known);
void aggregate_restore_extent(struct aggregate *a, size_t samples, double seconds);

#endif
