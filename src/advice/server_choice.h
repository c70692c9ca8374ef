/* server_choice.h - the cheapest servers of a table that hold a job, and what a run of it costs there. */
#ifndef RT_SERVER_CHOICE_H
#define RT_SERVER_CHOICE_H

#include "../core/cloud.h"
#include "../core/sample.h"
#include "advice.h"
#include "server_table.h"

enum { SERVERS_SHOWN = 5 };

struct server_question {
	const struct server_table *table;
	const char *vendor, *region;            /* one of these alone, in any case; NULL: all */
	const struct advice *advice;            /* what the server must have */
	double seconds;                         /* of a run, assumed to be the same everywhere; NONE: unknown */
	const struct cloud *cloud;              /* where the run was */
};

struct server_choice {
	const struct server *at[SERVERS_SHOWN]; /* by price: of each type the cheapest region; pieces of the table */
	size_t n, holding;                      /* holding: servers of the table that hold it */
	const struct server *here;              /* where the run was; NULL: unknown, or without a price */
	const struct server_table *table;
	double seconds;                         /* as asked */
};

/* -EINVAL with a sentence: the need of the job is unknown.  A table without such a server is no error. */
int    servers_choose(struct server_choice *ret, const struct server_question *q, struct why *why) must_use;
/* The server that the cloud says it is, of its region rather than of any.  NULL: unknown, or not in the table. */
const struct server *server_of_cloud(const struct server_table *t, const struct cloud *c);
/* Pure: price of an hour times hours, in USD; NONE: the time is unknown. */
double server_cost(const struct server *s, double seconds);

#endif
