/*
 * record_reader.h - run records (docs/reference/record-format.md) for whoever makes something of them.
 *
 * Takes what is there: a record that is still being written, one that was cut off, lines of unknown kinds
 * and fields, broken lines.  What had to be left out is a sentence in facts->problems, "FILE:LINE: ...".
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
 * Pointers that a reader gives out are good until the next call of record_reader_next on it, those in
 * struct record_facts until it is closed.
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
 * path: "-" is stdin.  Fails with -errno and a sentence if the file cannot be read, -EBADMSG if its first
 * line is no header, -EPROTONOSUPPORT if a newer version wrote it.
 */
int  record_reader_open(struct record_reader **ret, const char *path, struct why *why) must_use;
/*
 * The same of a run that goes on: waits for the header, and where there is no more yet, record_reader_next says
 * RECORD_LATER; record_reader_wait then.  It is over with the end line, or when nobody writes any more
 * (record_source.h).
 */
int  record_reader_follow(struct record_reader **ret, const char *path, struct why *why) must_use;
/* The same from memory, which must outlive the reader; name stands in the sentences. */
int  record_reader_of(struct record_reader **ret, const char *name, const char *text, size_t n,
		      struct why *why) must_use;
/* The same from a source (record_source.h), which it takes over, also where it fails. */
int  record_reader_take(struct record_reader **ret, const char *name, const struct record_source *source,
			struct why *why) must_use;
void record_reader_close(struct record_reader *r);      /* NULL is fine */

enum record_item record_reader_next(struct record_reader *r);
void record_reader_wait(const struct record_reader *r, int timeout_ms);        /* as record_source_wait */
/* From now on rows have their totals alone, neither tables nor maxima: twice as fast. */
void record_reader_totals_alone(struct record_reader *r, bool alone);
/* How far it has come. */
const struct record_source *record_reader_source(const struct record_reader *r);
const struct record_facts *record_reader_facts(struct record_reader *r);

/*
 * The row as a sample: levels are means, amounts sums, interval_seconds is the time it stands for, texts
 * and FIXED metrics are filled in, COUNTERs are NONE.  monotonic_ns counts from the start of the run.
 */
const struct sample *record_reader_sample(const struct record_reader *r);
size_t record_reader_samples(const struct record_reader *r);    /* how many samples the row stands for */
bool   record_reader_partial(const struct record_reader *r);    /* the last row, when the run was cut off in it */
/* Maxima of its levels, without interval; NULL if it stands for one sample. */
const struct sample *record_reader_maxima(const struct record_reader *r);
/* Of a feed: its amounts as they are since the start of the run, without interval; NULL in a bounded record. */
const struct sample *record_reader_sums(const struct record_reader *r);

size_t record_reader_columns(const struct record_reader *r);    /* of this row */
size_t record_reader_columns_known(const struct record_reader *r);       /* how often: as long as it stays, so do they */
const struct record_column *record_reader_column(const struct record_reader *r, size_t i);
double record_reader_value(const struct record_reader *r, size_t i);    /* mean or sum; NONE: unknown */

/* After RECORD_EXIT; both instants count from the start of the run, start_seconds is NONE where that is not known. */
const struct tree_exit *record_reader_exit(const struct record_reader *r);

/* After RECORD_REGION: an entry, a mark or a value; monotonic_ns counts from the start of the run. */
const struct region_event *record_reader_region(const struct record_reader *r);

/* All samples of the run, exact, from the end line; NULL if there is none. */
const struct aggregate *record_reader_totals(const struct record_reader *r);
/* For a record without end line: adds the row just read, as well as its samples are known. */
void record_reader_replay(const struct record_reader *r, struct aggregate *to);

#endif
