/*
 * session_records.h - the run's own record and its feeds, which have the same form.  Every line goes to each of them.
 */
#ifndef RT_SESSION_RECORDS_H
#define RT_SESSION_RECORDS_H

#include <limits.h>

#include "../record/destinations.h"
#include "session_record.h"

/* Must be all zero before session_records_prepare. */
struct session_records {
	struct record_sums sums;
	struct record_place place;              /* of the run's own record */
	double seconds;                         /* t of the newest sample */
	struct session_record *at;              /* the run's own, then feeds */
	size_t n;
	struct session_record *status;          /* of --status; NULL: none */
	char status_path[PATH_MAX];             /* its program */
};

/*
 * Opens the files and descriptors of feeds, but starts no program.  -errno with a sentence in `why` if one cannot be
 * written, and *r is zeroed; `note` gets a sentence if one works with limits.  Call it before any other file is opened
 * (see feed_destination).
 */
int  session_records_prepare(struct session_records *r, const struct options *o, struct why *why,
			     struct why *note) must_use;
/*
 * Opens the run's own record, starts the programs, and writes the headers.  whole: the statistics over all samples.
 * `o`, `run`, `whole` and `signals` (the recorder's inherited ones) must outlive `r`.  -errno with a sentence in `why`
 * if there is no place for the run's own; the feeds go on.  `note` gets a sentence if one of them is not written.
 */
int  session_records_open(struct session_records *r, const struct options *o, const struct run *run, const char *host,
			  const struct source *src, const struct aggregate *whole,
			  const struct inherited_signals *signals, struct why *why, struct why *note) must_use;
/* Whether the run's own record, if there is one, has begun: output_begun. */
int  session_records_begun(struct session_records *r, double seconds, struct why *why) must_use;
/* For the run's own record: write the lines so far in the calling thread; start its thread. */
void session_records_write_now(struct session_records *r);
void session_records_start(struct session_records *r, struct why *note);
/* The command could not be executed: closes all within `seconds`, and removes a record with a generated name. */
void session_records_cancel(struct session_records *r, double seconds);

/* Whether the run's own record has an output; whether it has a writer; how many of its lines were dropped. */
bool session_records_has_output(const struct session_records *r);
bool session_records_has_own(const struct session_records *r);
uint64_t session_records_dropped(struct session_records *r);

/* As in record_writer.h, for each of them. */
void session_records_sample(struct session_records *r, const struct sample *s);
void session_records_exit(struct session_records *r, const struct tree_exit *e);
void session_records_region(struct session_records *r, const struct region_event *e);
void session_records_cloud(struct session_records *r, const struct cloud *cloud);
void session_records_notice(struct session_records *r, const char *sentence);

/* No more samples are due for now: writes the lines that were gathered. */
void session_records_wake(struct session_records *r);

/* Gives the terminal back before the recorder stops, within a fraction of a second; takes its last row again. */
void session_records_hide_status(struct session_records *r);
void session_records_show_status(struct session_records *r);

/* The next failure of a feed, each returned once; false: none.  Does not wait. */
bool session_records_trouble(struct session_records *r, struct why *ret);

/*
 * Writes the feeds' last lines (end NULL: none), and waits at most `seconds` in all for outputs and programs, and
 * --push-drain more for what is sent.  Call session_records_trouble afterwards.
 */
void session_records_finish_feeds(struct session_records *r, const struct session_end *end, double seconds);
/* Writes the last lines of the run's own record, within `seconds`; returns the number of lines that it lost. */
uint64_t session_records_finish(struct session_records *r, const struct session_end *end, double seconds,
				struct output_end *ret);
void session_records_close(struct session_records *r);          /* what is still open, without waiting; *r is zeroed */

#endif
