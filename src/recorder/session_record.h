/* session_record.h - one of the records of a run: where its lines go, and what becomes of a feed. */
#ifndef RT_SESSION_RECORD_H
#define RT_SESSION_RECORD_H

#include "../record/output.h"
#include "../record/record_writer.h"
#include "feed_program.h"

/* What stands in the last lines. */
struct session_end {
	const struct moment *moments;
	size_t n_moments;
	const struct region_totals *regions;
	const struct run_status *status;
};

struct session_record {
	const char *name;                       /* of a feed, for sentences */
	struct output *output;                  /* NULL: none */
	struct record_writer *writer;           /* NULL: nothing is written to it, or nothing more */
	bool is_program;
	struct feed_program program;
	const double *seconds;                  /* of a feed: t of the newest sample */
	uint64_t lost_reported;                     /* lines that it lost, as far as it has a line of them */
	struct why trouble;                     /* "": none to report */
};

/* As record_options.put, with a session_record as context; of a feed: before the line, how many are missing here. */
bool session_record_put(void *context, const char *line, size_t n, bool needed);
bool session_record_put_to_feed(void *context, const char *line, size_t n, bool needed);

/* A feed that nothing reads any more, or that has lost its program, gets no more lines, and is in trouble. */
void session_record_poll(struct session_record *feed);
/* The last lines. */
void session_record_end(struct session_record *record, const struct session_end *end, const struct aggregate *whole);
/*
 * Closes the output of a feed, and waits for its program, both until then (seconds_now); written: it has its last
 * lines, so what it lost is trouble.
 */
void session_record_close(struct session_record *feed, bool written, double until);
double seconds_now(void);                       /* CLOCK_MONOTONIC */

#endif
