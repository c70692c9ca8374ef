/*
 * sheet.h - the rows of a run as CSV, until they are sent to a service that keeps runs: the beginning of the run, parts
 * of the table of 32 columns that other trackers send (core/layouts.def), each gzipped with its header, and its end.
 *
 * All do nothing for a sheet that is zeroed.
 */
#ifndef RT_SHEET_H
#define RT_SHEET_H

#include "../core/devices.h"
#include "../readers/record_facts.h"
#include "outbox.h"

struct sheet {
	struct outbox *box;
	double seconds;                         /* of a part; INFINITY: until it is full */
	bool wants_cloud;                       /* the run begins when its cloud is known, or some seconds later */
	struct devices devices;
	struct buffer rows;                     /* not gzipped yet */
	uint64_t n;                             /* of these rows */
	int64_t last_ms;                        /* time of the newest one, or a little later: each has another one */
	double begun;                           /* as push_now: of the oldest one */
};

/* box: that of the service; NULL: there is none. */
void sheet_open(struct sheet *s, struct outbox *box, double seconds, bool wants_cloud);
void sheet_close(struct sheet *s);
/* Adds a row of the record.  A row that is not newer than the newest one in the box is skipped. */
void sheet_add(struct sheet *s, const struct record_facts *facts, const struct sample *row);
/* Puts what is due at `now` into the box. */
void sheet_go(struct sheet *s, double now);
double sheet_due(const struct sheet *s);                /* INFINITY: nothing is there */
/* Puts the rest, and if the run is over its end.  facts: complete. */
void sheet_end(struct sheet *s, const struct record_facts *facts, bool over);

/* TRACKER_UPLOAD_INTERVAL in seconds, 60 if it is not set, or is no whole number, which is reported unless quiet. */
double sheet_seconds(bool quiet);

#endif
