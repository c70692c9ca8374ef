/*
 * session_records.h - all that is written of a run in the form of a record: the run's own, and its feeds.  What happens
 * goes to each of them.
 */
#ifndef RT_SESSION_RECORDS_H
#define RT_SESSION_RECORDS_H

#include "../record/destinations.h"
#include "session_record.h"

/* Zeroed at first. */
struct session_records {
	struct record_sums sums;
	struct record_place place;              /* of the run's own record */
	double seconds;                         /* t of the newest sample */
	struct session_record *at;              /* the run's own, then feeds */
	size_t n;
};

/*
 * Opens what feeds go to, but starts no program.  Fails with a sentence if a file or descriptor cannot be written;
 * note: a sentence if one works with limits.  Before we open anything else (feed_destination).
 */
int  session_records_prepare(struct session_records *r, const struct options *o, struct why *why,
			     struct why *note) must_use;
/*
 * Opens the run's own record, starts the programs, and begins to write; whole: of all samples, it outlives them, as
 * signals do: those that we were started with.
 */
void session_records_open(struct session_records *r, const struct options *o, const struct run *run, const char *host,
			  const struct source *src, const struct aggregate *whole,
			  const struct inherited_signals *signals, struct why *note);
/* Writes what there is of the run's own while there is nothing else to do, and starts its thread. */
void session_records_write_now(struct session_records *r);
void session_records_start(struct session_records *r, struct why *note);
/* There was no run: nothing more is written, and a record of our naming goes away. */
void session_records_cancel(struct session_records *r, double seconds);

/* The run's own record has a place to go to; and is being written. */
bool session_records_has_output(const struct session_records *r);
bool session_records_has_own(const struct session_records *r);
uint64_t session_records_dropped(struct session_records *r);    /* lines of it */

/* As of record_writer.h. */
void session_records_sample(struct session_records *r, const struct sample *s);
void session_records_exit(struct session_records *r, const struct tree_exit *e);
void session_records_region(struct session_records *r, const struct region_event *e);
void session_records_notice(struct session_records *r, const char *sentence);

/* No sample is to come for now: what was gathered is written. */
void session_records_wake(struct session_records *r);

/* What became of a feed that has ended, or lost lines, once each; false: nothing more. */
bool session_records_trouble(struct session_records *r, struct why *ret);

/* The feeds' last lines (none if !@end): they, and programs to end, have `seconds` together.  Then
 * session_records_trouble. */
void session_records_finish_feeds(struct session_records *r, const struct session_end *end, double seconds);
/* The last lines of the run's own, which then has `seconds` to get out: the lines that did not. */
uint64_t session_records_finish(struct session_records *r, const struct session_end *end, double seconds,
				struct output_end *ret);
void session_records_close(struct session_records *r);

#endif
