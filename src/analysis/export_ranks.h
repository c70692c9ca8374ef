/* export_ranks.h - all ranks of a job as one table in a file. */
#ifndef RT_EXPORT_RANKS_H
#define RT_EXPORT_RANKS_H

#include "ranks_command.h"

/* output: NULL or "-" is stdout.  csv: else JSON Lines.  -errno with a sentence. */
int export_ranks(const struct ranks_question *q, const char *output, bool csv, struct why *why) must_use;

#endif
