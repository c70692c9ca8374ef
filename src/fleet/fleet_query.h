/* fleet_query.h - `fleet query`: asks a store one of the named questions. */
#ifndef RT_FLEET_QUERY_H
#define RT_FLEET_QUERY_H

#include "fleet_store.h"

struct fleet_query {                            /* texts as the user gave them; NULL: not given */
	const char *since, *until, *share, *change, *name, *limit;
	bool json;
};

/* Appends the answer to the question of this name.  -errno with a sentence; -EINVAL: a flag or the name is wrong. */
int fleet_query(struct buffer *out, const struct store_kind *kind, struct fleet_store *store, const char *question,
		const struct fleet_query *q, struct why *why) must_use;
/* Appends a line for each question. */
void fleet_question_list(struct buffer *out);

#endif
