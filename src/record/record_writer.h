/*
 * record_writer.h - the run record: JSON Lines that a reader understands after any crash.
 *
 * The writer turns samples and events into whole lines and hands each to `put`; where they go, and
 * that one line is one write, is the business of output.h.  docs/reference/record-format.md is the contract.
 */
#ifndef RT_RECORD_WRITER_H
#define RT_RECORD_WRITER_H

#include "record_lines.h"

struct record_writer;

enum record_detail {
	RECORD_BOUNDED,                         /* of limited size: rows become coarser the longer the run is */
	RECORD_ALL,                             /* a feed: a row for each sample, lines for all ends and regions, and
						   behind each row what its amounts are since the start */
};

struct record_options {
	enum record_detail detail;
	enum record_command command;
	const struct record_sums *sums;         /* for RECORD_ALL; else NULL: no outline.  They outlive the writer */
	/*
	 * Takes a line with its newline; what cannot be written is its business.  needed: later lines mean nothing
	 * without this one, so none of them may stand where it does not; false says that it was not taken, and is to be
	 * put again.
	 */
	bool (*put)(void *context, const char *line, size_t n, bool needed);
	void *context;
};

int  record_open(struct record_writer **ret, const struct run *run, const struct source *src,
		 const struct record_options *options) must_use;
void record_close(struct record_writer *w);     /* frees; writes nothing.  NULL is fine */
void record_limit(struct record_writer *w, uint64_t bytes);     /* the size that it may have; else 64 MiB */

/* The header goes out with the baseline sample, when it is known what could be measured. */
void record_sample(struct record_writer *w, const struct sample *s);
void record_exit(struct record_writer *w, const struct tree_exit *e);
void record_region(struct record_writer *w, const struct region_event *e);
void record_notice(struct record_writer *w, const char *text);
/* The last minute of a run that failed, at a finer grain; nothing if n is 0. */
void record_last_minute(struct record_writer *w, const struct moment *moments, size_t n);
/* For the footer; they have to be there until record_finish. */
void record_regions(struct record_writer *w, const struct region_totals *totals);
/* The row in the making, and the footer with the totals. */
void record_finish(struct record_writer *w, const struct run_status *status, const struct aggregate *whole);

#endif
