/*
 * outbox.h - the batches of one run for one destination: kept in the spool, sent one after the other, in their order.
 *
 * A batch is on disk before it is sent, and deleted when it was accepted or refused.  Its number is then in the file
 * N-sent, so after a crash it is not sent again.  Where the disk takes none, batches are kept in memory, at most
 * PUSH_MEMORY_BYTES of them.  Beyond the limit of bytes the oldest batches are dropped, and counted.
 */
#ifndef RT_OUTBOX_H
#define RT_OUTBOX_H

#include "carrier.h"
#include "outbox_item.h"

struct outbox {
	const struct spool *spool;
	unsigned destination;                   /* its number in the folder */
	const char *shown;                      /* as in struct destination */
	struct carrier *carrier;
	uint64_t bytes_most;
	struct outbox_item *items;
	size_t n, size;
	uint64_t last_number;
	int64_t last_ms;                        /* of all batches so far; INT64_MIN: there was none */
	uint64_t bytes;
	/* Sending: */
	bool going, all;                        /* all: all items at once */
	struct buffer body;
	double not_before;                      /* by CLOCK_MONOTONIC, in seconds */
	unsigned failures;                      /* in a row */
	bool asked_to_wait;                     /* by the receiver's Retry-After */
	bool ending, hopeless;                  /* outbox_hurry was called; since then there was no answer at all */
	/* Of this process: */
	uint64_t sent, refused, dropped;        /* points */
	struct why trouble, refusal;            /* the newest failure, "" after a success; the first refusal */
};

/* Finds what is in the spool already.  `spool`, `shown` and `carrier` must outlive it. */
int  outbox_open(struct outbox *ret, const struct spool *spool, unsigned destination, const char *shown,
		 struct carrier *carrier, uint64_t bytes_most) must_use;
void outbox_close(struct outbox *o);            /* what is in the spool stays there */

/*
 * Adds a batch; never fails: what cannot be kept is counted.  Without points it begins a run at a service, or with
 * last_ms OUTBOX_END_MS ends it; such a one is never dropped.
 */
void outbox_put(struct outbox *o, const struct buffer *body, uint64_t points, int64_t last_ms);
/* Handles an answer, and sends the next batch if that is due at `now`.  Does not wait. */
void outbox_go(struct outbox *o, double now);
/* When outbox_go has something to do, apart from answers; INFINITY: never. */
double outbox_due(const struct outbox *o);
/* The run is over: tries again at once; a receiver that cannot be reached then is not waited for. */
void outbox_hurry(struct outbox *o, double now);
static inline bool outbox_empty(const struct outbox *o) { return o->n == 0; }

#endif
