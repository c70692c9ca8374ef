/* selection.h - some runs of the history: those of a job of a scheduler, with a name, with tags. */
#ifndef RT_SELECTION_H
#define RT_SELECTION_H

#include "history.h"

/* What is NULL, or none, asks for nothing; a run has to be all that is asked for.  Patterns may hold * and ?. */
struct selection {
	const char *job;                        /* by the scheduler's id: below */
	const char *name;                       /* by --job-name */
	const char *const *tags;                /* KEY=VALUE, or KEY for any value */
	size_t n_tags;
};

bool selection_asks(const struct selection *s);         /* for anything */
bool selection_takes(const struct selection *s, const struct past_run *run);
/* Leaves only these in the history, in their order. */
void selection_keep(const struct selection *s, struct history *h);

/*
 * Whether a job is called so: its id, or the id up to the server ("1230" of 1230.server and 1230[7].server); its array's
 * id; "1230_7", a task of an array; "1235.0", a step.
 */
bool job_is_called(const struct job *job, const char *pattern);

#endif
