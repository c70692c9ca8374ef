/* selection.h - selects runs of the history: by the job of a scheduler, by name, by tags. */
#ifndef RT_SELECTION_H
#define RT_SELECTION_H

#include "history.h"

/*
 * A criterion that is NULL, or empty, matches all runs; a run must match all criteria.  Patterns can contain * and ?.
 */
struct selection {
	const char *job;                        /* by the scheduler's id: see job_is_called */
	const char *name;                       /* by --job-name */
	const char *const *tags;                /* KEY=VALUE, or KEY for any value */
	size_t n_tags;
};

bool selection_asks(const struct selection *s);         /* whether any criterion is set */
bool selection_takes(const struct selection *s, const struct past_run *run);
/* Keeps only the matching runs in the history, in their order; the memory of the others stays until history_close. */
void selection_keep(const struct selection *s, struct history *h);

/*
 * Whether the pattern matches the job: its id, or the id up to the server ("1230" of 1230.server and 1230[7].server);
 * its array's id; "1230_7", a task of an array; "1235.0", a step.
 */
bool job_is_called(const struct job *job, const char *pattern);

#endif
