/*
 * record_writer.h - the run record: JSON Lines that a reader understands after any crash.
 *
 * The writer turns samples and events into whole lines and hands each to `put`; where they go, and
 * that one line is one write, is the business of output.h.  docs/record-format.md is the contract.
 */
#ifndef RT_RECORD_WRITER_H
#define RT_RECORD_WRITER_H

#include "../core/aggregate.h"
#include "../core/buffer.h"
#include "../core/regions.h"
#include "../core/run.h"
#include "../options/options.h"

struct record_writer;

/*
 * `put` takes a line with its newline; what cannot be written is its business.  needed: later lines mean nothing
 * without this one, so none of them may stand where it does not; false says that it was not taken, and is to be put
 * again.
 */
int  record_open(struct record_writer **ret, const struct run *run, const struct source *src,
		 enum record_command command,
		 bool (*put)(void *context, const char *line, size_t n, bool needed), void *context) must_use;
void record_close(struct record_writer *w);     /* frees; writes nothing.  NULL is fine */
void record_limit(struct record_writer *w, uint64_t bytes);     /* the size that it may have; else 64 MiB */

/* The header goes out with the baseline sample, when it is known what could be measured. */
void record_sample(struct record_writer *w, const struct sample *s);
void record_exit(struct record_writer *w, const struct tree_exit *e);
bool record_region(struct record_writer *w, const struct region_event *e);     /* false: it has had its lines */
void record_notice(struct record_writer *w, const char *text);
/* The last minute of a run that failed, at a finer grain; nothing if n is 0. */
void record_last_minute(struct record_writer *w, const struct moment *moments, size_t n);
/* For the footer; they have to be there until record_finish. */
void record_regions(struct record_writer *w, const struct region_totals *totals);
/* The row in the making, and the footer with the totals. */
void record_finish(struct record_writer *w, const struct run_status *status, const struct aggregate *whole);

#endif
