/* fleet_recommend.h - `fleet recommend`: the size of a job's next run, from its runs in a store. */
#ifndef RT_FLEET_RECOMMEND_H
#define RT_FLEET_RECOMMEND_H

#include "../analysis/recommended.h"
#include "fleet_query.h"

/*
 * Adds the newest runs with the name of the query, which must be given; 20 without --limit.  -EINVAL with a sentence: a
 * flag is wrong; -ENOENT: there is no such run.
 */
int fleet_recommend(struct recommended *to, const struct store_kind *kind, struct fleet_store *store,
		    const struct fleet_query *q, struct why *why) must_use;

#endif
