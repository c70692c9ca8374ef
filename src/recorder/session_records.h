/*
 * session_records.h - all that is written of a run in the form of a record: what happens goes to each of them.
 */
#ifndef RT_SESSION_RECORDS_H
#define RT_SESSION_RECORDS_H

#include "../record/destinations.h"
#include "../record/record_writer.h"

struct session_record {
	struct output *output;                  /* NULL: none */
	struct record_writer *writer;           /* NULL: none, or nothing of it got out */
};

enum { RECORDS_MAX = 1 };

/* Zeroed at first. */
struct session_records {
	struct record_sums sums;
	struct record_place place;              /* of the first, which is the run's own record */
	struct session_record at[RECORDS_MAX];
};

/* Opens them; whole: of all samples, it outlives them.  note: a sentence if one works with limits, or not at all. */
void session_records_open(struct session_records *r, const struct options *o, const struct run *run, const char *host,
			  const struct source *src, const struct aggregate *whole, struct why *note);
/* Writes what there is while there is nothing else to do, and starts the thread of the run's own. */
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

/* What stands in the last lines. */
struct session_end {
	const struct moment *moments;
	size_t n_moments;
	const struct region_totals *regions;
	const struct run_status *status;
};

/* The last lines of the run's own, which then has `seconds` to get out: the lines that did not. */
uint64_t session_records_finish(struct session_records *r, const struct session_end *end, double seconds,
				struct output_end *ret);

#endif
