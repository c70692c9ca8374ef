/* ranks_table.h - all ranks of a job as a table for other programs: a row for each, in the order of nodes. */
#ifndef RT_RANKS_TABLE_H
#define RT_RANKS_TABLE_H

#include "ranks_view.h"

/* With a line of names; texts as of RFC 4180, unknown values are empty. */
void ranks_table_csv(struct buffer *out, const struct ranks_view *v);
/* An object a line; unknown values are null. */
void ranks_table_jsonl(struct buffer *out, const struct ranks_view *v);

#endif
