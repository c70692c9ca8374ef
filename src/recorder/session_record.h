/*
 * session_record.h - one record or feed of a run: its writer, its output, and its failures.
 *
 * session_records.c opens and owns them.  Lines go from the writer through session_record_put to the output, which has
 * a bounded queue and a thread.
 */
#ifndef RT_SESSION_RECORD_H
#define RT_SESSION_RECORD_H

#include "../record/output.h"
#include "../record/record_writer.h"
#include "feed_program.h"

/* The contents of the last lines. */
struct session_end {
	const struct moment *moments;
	size_t n_moments;
	const struct region_totals *regions;
	const struct program_tree *programs;
	const struct run_status *status;
};

struct session_record {
	const char *name;                       /* of a feed, for messages */
	struct output *output;                  /* NULL: none */
	struct record_writer *writer;           /* NULL: nothing is written, or nothing more */
	bool is_program;
	struct feed_program program;
	double gone_seconds;                    /* when its reader was first seen to be gone; 0: never */
	double leave_seconds;                   /* longer than other feeds, it is waited for at the end */
	const double *seconds;                  /* of a feed: t of the newest sample */
	uint64_t lost_reported;                 /* lost lines that are already reported in the feed */
	struct why trouble;                     /* a failure to report; "": none */
};

/*
 * For record_options.put, with a session_record as context.  needed: a line without which the record cannot be read;
 * false: it had no room, and is to be tried again; other lines are dropped and counted, and the result is true.  A feed
 * gets a line before with the number of lost lines, if there are some.
 */
bool session_record_put(void *context, const char *line, size_t n, bool needed);
bool session_record_put_to_feed(void *context, const char *line, size_t n, bool needed);

/*
 * If the feed's reader or program has ended: closes the writer and sets `trouble`.  Does not wait; a program that has
 * closed its input is given time to end first.
 */
void session_record_poll(struct session_record *feed);
/* Writes the last lines and closes the writer, which there must be. */
void session_record_end(struct session_record *record, const struct session_end *end, const struct aggregate *whole);
/*
 * Closes the output of a feed and waits for its program, both at most until `until` (as seconds_now); a program that is
 * left is asked to end.  written: the last lines were written, so failures and lost lines go into `trouble`.
 */
void session_record_close(struct session_record *feed, bool written, double until);
double seconds_now(void);                       /* CLOCK_MONOTONIC */

#endif
