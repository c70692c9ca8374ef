/*
 * points.h - the rows of a run as series of points, until they are sent.
 *
 * A series is one metric of one row of a table: a gauge, or for an AMOUNT a counter since the start of the run.  Its
 * labels are those of the run and the key of the row; never a pid.  Series are numbered in the order of their first
 * value, at most PUSH_SERIES_MAX of them; values of further ones are counted in left_out.
 */
#ifndef RT_POINTS_H
#define RT_POINTS_H

#include "../core/aggregate.h"
#include "../core/buffer.h"
#include "../readers/record_facts.h"
#include "region_exemplar.h"

struct point { double value; uint32_t moment, next; };

#define POINTS_END UINT32_MAX
enum { POINTS_OF_BATCH = 20000 };                /* a batch with so many is sent */

struct series {
	const struct metric *metric;
	enum table table;
	const char *key;                        /* of the row; "" for a total */
	double sum, least, most;                /* of an AMOUNT: added up here; what was sent; the exact total */
	double newest;                          /* its newest value, also of batches before, and the time of that */
	int64_t newest_ms;
	uint32_t first, last;                   /* its points of this batch; POINTS_END: none */
};

struct keyed_row;

/* What all series of a run have in common. */
struct run_labels { char run[160], host[65], job[160], rank[24]; };

struct points {
	struct run_labels labels;
	int64_t start_wall_ns;
	const struct aggregate *exact;          /* the totals of the run, if they are known already; borrowed */
	struct series *series;
	size_t n_series, series_size;
	struct keyed_row *rows[TABLE_COUNT];
	size_t n_rows[TABLE_COUNT];
	/* The batch: */
	struct point *at;
	size_t n, size;
	int64_t *moments;                       /* Unix time in milliseconds, ascending */
	size_t n_moments, moments_size;
	int64_t last_ms;                        /* of the newest moment, also of batches before */
	/* Of entries that ended since the newest row; of the newest rows that had one. */
	struct region_exemplar ended, exemplar;
	uint64_t left_out;                      /* values beyond PUSH_SERIES_MAX, of all batches */
	bool failed;                            /* out of memory: points are missing */
};

void points_open(struct points *p, const struct record_facts *facts);
void points_close(struct points *p);
/*
 * Adds a row.  sums: its amounts since the start (record_reader_sums), NULL: they are added up here.  The time is that
 * of its end; a row within the millisecond of the row before gets the next one, as times of a series must increase.
 */
void points_add(struct points *p, const struct sample *row, const struct sample *sums);
/*
 * After the last row: a moment with those totals of the run (NULL: unknown) that are more than the sums so far.
 * end_ns: since the start, by the clock that cannot be set.
 */
void points_add_totals(struct points *p, const struct aggregate *totals, int64_t end_ns);
/* An event between two rows: the entry with most CPU time becomes the exemplar of the next row. */
void points_add_region(struct points *p, const struct region_event *e);
void points_clear(struct points *p);            /* begins the next batch */

/* The series of metric k of a row, made if it is new.  NULL: there are too many, or memory is short. */
struct series *points_series(struct points *p, enum table t, const char *key, size_t k);

/* The points of a series in this batch. */
static inline const struct point *points_first(const struct points *p, const struct series *s)
{
	return s->first == POINTS_END ? NULL : &p->at[s->first];
}

static inline const struct point *points_next(const struct points *p, const struct point *point)
{
	return point->next == POINTS_END ? NULL : &p->at[point->next];
}

/* A label of a series. */
struct label_pair { const char *name, *value; };
enum { LABELS_MAX = 6 };
/* Those of a series that are known, in the order of their names.  Returns their number. */
size_t points_labels(struct label_pair ret[LABELS_MAX], const struct points *p, const struct series *s);

#endif
