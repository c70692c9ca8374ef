/*
 * record_reader.h - reads run records (docs/reference/record-format.md).
 *
 * It accepts records that are still being written or were cut off, unknown lines and fields, and broken lines.  For
 * each part that it leaves out, facts->problems has a sentence "FILE:LINE: ...".
 *
 *	struct record_reader *r;
 *
 *	if (record_reader_open(&r, path, &why) < 0) ...
 *	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;)
 *		if (item == RECORD_ROW)
 *			use(record_reader_sample(r));
 *	... record_reader_facts(r)->status, record_reader_totals(r) ...
 *	record_reader_close(r);
 *
 * Returned pointers are valid until the next call of record_reader_next, those in struct record_facts until
 * record_reader_close.
 */
#ifndef RT_RECORD_READER_H
#define RT_RECORD_READER_H

#include "../core/aggregate.h"
#include "../core/tree_exit.h"
#include "../core/why.h"
#include "record_facts.h"

struct record_reader;
struct record_source;

/*
 * path: "-" is stdin.  -errno with a sentence if the file cannot be read; -EBADMSG: its first line is not a header;
 * -EPROTONOSUPPORT: a newer version wrote it.
 */
int  record_reader_open(struct record_reader **ret, const char *path, struct why *why) must_use;
/*
 * The same for a run that goes on: waits for the header, without a limit; record_reader_next returns RECORD_LATER if
 * there are no more lines yet; then call record_reader_wait.  The record is over after its end line, or when no process
 * writes it any more (record_source.h).
 */
int  record_reader_follow(struct record_reader **ret, const char *path, struct why *why) must_use;
/* The same from memory, which must outlive the reader.  name: for messages; copied. */
int  record_reader_of(struct record_reader **ret, const char *name, const char *text, size_t n,
		      struct why *why) must_use;
/* The same from a source (record_source.h), which the reader owns from then on, even if this fails. */
int  record_reader_take(struct record_reader **ret, const char *name, const struct record_source *source,
			struct why *why) must_use;
void record_reader_close(struct record_reader *r);      /* r can be NULL */

/* Reads the next row, exit or region event; RECORD_OVER: no more, or no more can be read, which is a problem. */
enum record_item record_reader_next(struct record_reader *r);
void record_reader_wait(const struct record_reader *r, int timeout_ms); /* as record_source_wait */
/*
 * From now on rows only have their totals, without tables and maxima, which is three times as fast: the rest of their
 * lines is not even checked.
 */
void record_reader_totals_alone(struct record_reader *r, bool alone);
/* For its position in the file; the reader owns it. */
const struct record_source *record_reader_source(const struct record_reader *r);
const struct record_facts *record_reader_facts(struct record_reader *r);

/*
 * The row as a sample: levels are means, amounts sums, interval_seconds is the time it covers, texts and FIXED metrics
 * are filled in, COUNTERs are NONE.  monotonic_ns counts from the start of the run.  It stays until the next row; NULL
 * before the first one.
 */
const struct sample *record_reader_sample(const struct record_reader *r);
size_t record_reader_samples(const struct record_reader *r);    /* number of samples in the row */
bool   record_reader_partial(const struct record_reader *r);    /* the last row, if the run was cut off in it */
/* Maxima of its levels, without interval; NULL if it is one sample. */
const struct sample *record_reader_maxima(const struct record_reader *r);
/* In a feed: its amounts since the start of the run, without interval; NULL in a bounded record. */
const struct sample *record_reader_sums(const struct record_reader *r);

size_t record_reader_columns(const struct record_reader *r);    /* number of columns of this row */
/* Number of column lines so far: while it stays the same, so do the columns. */
size_t record_reader_columns_known(const struct record_reader *r);
const struct record_column *record_reader_column(const struct record_reader *r, size_t i);      /* i < columns */
const double *record_reader_values(const struct record_reader *r);      /* by column: mean or sum; NONE: unknown */

/* After RECORD_EXIT.  Both times count from the start of the run; start_seconds is NONE if unknown. */
const struct tree_exit *record_reader_exit(const struct record_reader *r);

/* After RECORD_REGION: an entry, a mark or a value; monotonic_ns counts from the start of the run. */
const struct region_event *record_reader_region(const struct record_reader *r);

/* The problem of a record without its end line. */
#define RECORD_NO_END "no end line: the run was cut off, or still goes on"

/* Exact statistics over all samples of the run, from the end line; NULL: no end line so far. */
const struct aggregate *record_reader_totals(const struct record_reader *r);
/* For a record without an end line: adds the current row, as an approximation of its samples. */
void record_reader_replay(const struct record_reader *r, struct aggregate *to);

#endif
