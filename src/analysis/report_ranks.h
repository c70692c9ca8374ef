/* report_ranks.h - the data of a report's page over all ranks of a job. */
#ifndef RT_REPORT_RANKS_H
#define RT_REPORT_RANKS_H

#include "ranks_command.h"

/*
 * Writes the whole object, and appends the job's name to `name`.  output: as given, or NULL; it is refused if it is
 * one of the records.  place: as ranks_place.  -errno with a sentence.
 */
int report_ranks(struct buffer *out, struct buffer *name, const char *output, const struct ranks_question *q,
		 const char *place, struct why *why) must_use;

#endif
