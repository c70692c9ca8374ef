/* session_outcome.h - what is said of a run when it is over: gathered from its samples, judged at its end. */
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
	char gpu_source[16];                    /* as last told */
};

int  session_outcome_open(struct session_outcome *o) must_use;  /* -ENOMEM */
void session_outcome_close(struct session_outcome *o);

/* tracked: the run is about processes, not the machine.  tree: NULL if there is none. */
void session_outcome_sample(struct session_outcome *o, const struct sample *s, const struct tree *tree, bool tracked);

/* The tracker's CPU time in all: its samples do not hold its start and end. */
void session_outcome_own_cost(struct session_outcome *o, double seconds);
/* Of a run that failed, as `status` says: its last minute. */
size_t session_outcome_moments(const struct session_outcome *o, const struct run_status *status,
			       struct moment ret[MOMENTS]);
/*
 * The summary to stderr: its run, status, record, notices and regions are set, the rest is what was gathered.  What
 * does not go out at once goes through an output of its own, for at most `seconds`: nobody may be reading any more.
 */
void session_outcome_print(const struct session_outcome *o, struct summary *summary, const struct sample *last,
			   double seconds);

#endif
