/* fleet_ends.h - `fleet records`: the first and last lines of the records of a scheduler's job, as files again. */
#ifndef RT_FLEET_ENDS_H
#define RT_FLEET_ENDS_H

#include "fleet_query.h"

/*
 * Writes a file for each run of the job into the folder, which is made if it is missing: with the name of its record if
 * that is free.  *ret_n: how many.  job: an id as in job_is_called (history/selection.h).  -ENOENT with a sentence: no
 * run of that job is there; -EEXIST: a file is in the way.
 */
int fleet_ends_write(size_t *ret_n, const struct store_kind *kind, struct fleet_store *store, const char *job,
		     const char *folder, struct why *why) must_use;

#endif
