/* session_outcome.h - statistics and evidence of a run, gathered from its samples, and its summary. */
#ifndef RT_SESSION_OUTCOME_H
#define RT_SESSION_OUTCOME_H

#include "../summary/summary.h"
#include "ending.h"
#include "last_minute.h"

struct session_outcome {
	struct aggregate *whole;                /* NULL: nothing is gathered */
	struct spark cpu, memory, rss;          /* memory: PSS, or the machine's */
	struct ending_evidence evidence;
	struct last_minute last_minute;
	char gpu_source[16];                    /* of the newest sample that has one */
};

/* *o is zeroed; the caller then sets evidence, and opens last_minute.  -ENOMEM.  The functions below need it open. */
int  session_outcome_open(struct session_outcome *o) must_use;
void session_outcome_close(struct session_outcome *o);  /* of one that is not open too */

/* Adds a sample.  tracked: the run tracks processes, not only the machine.  tree: NULL: none. */
void session_outcome_sample(struct session_outcome *o, const struct sample *s, const struct tree *tree, bool tracked);

/* Sets the tracker's total CPU time; the sum over the samples lacks its start and end. */
void session_outcome_own_cost(struct session_outcome *o, double seconds);
/* The moments of the last minute, oldest first; returns their number, 0 if `status` has no cause of failure. */
size_t session_outcome_moments(const struct session_outcome *o, const struct run_status *status,
			       struct moment ret[MOMENTS]);
/*
 * Completes a summary: the caller has set its run, status, record, notices and regions.  `moments` must outlive it.
 */
void session_outcome_describe(const struct session_outcome *o, struct summary *summary, const struct sample *last,
			      struct moment moments[MOMENTS]);

#endif
