/* fleet_query.h - `fleet query`: asks a store one of the named questions. */
#ifndef RT_FLEET_QUERY_H
#define RT_FLEET_QUERY_H

#include "fleet_store.h"

struct fleet_query {                            /* texts as the user gave them; NULL: not given */
	const char *since, *until, *share, *change, *name, *limit;
	bool json;
};

enum fleet_parameter {
	PARAMETER_SINCE, PARAMETER_UNTIL, PARAMETER_SHARE, PARAMETER_CHANGE, PARAMETER_NAME, PARAMETER_LIMIT,
	FLEET_PARAMETERS
};
enum { FLEET_ROWS = 100 };                      /* of an answer, if --limit is not given */

/* The parameters of questions.def.  limit: if it is not given.  -EINVAL with a sentence: a flag is wrong. */
int fleet_parameters_read(struct parameter ret[FLEET_PARAMETERS], const struct fleet_query *q, double limit,
			  struct why *why) must_use;
/* Appends the answer to the question of this name.  -errno with a sentence; -EINVAL: a flag or the name is wrong. */
int fleet_query(struct buffer *out, const struct store_kind *kind, struct fleet_store *store, const char *question,
		const struct fleet_query *q, struct why *why) must_use;
/* Appends a line for each question. */
void fleet_question_list(struct buffer *out);

#endif
