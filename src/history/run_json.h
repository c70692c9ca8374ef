/* run_json.h - past runs as JSON, and members of such an object for other writers. */
#ifndef RT_RUN_JSON_H
#define RT_RUN_JSON_H

#include "../core/json_write.h"
#include "past_run.h"

/* A run as each command with --json shows it. */
struct run_facts {
	const char *id;                         /* NULL: unknown */
	const char *record;                     /* its path */
	const char *host;
	enum run_state state;                   /* STATE_COUNT: the file has no state */
	const struct run_status *status;
	const struct run *run;                  /* NULL: an unreadable one */
	uint64_t samples;
	const struct quantity_values *values;
};

/* Appends members of the same names and order for all: id, record, status and so on, quantities last. */
void json_run_facts(struct json *j, const struct run_facts *f);
/* Each quantity on all bases on which it is known, for the comparison of several runs. */
void json_quantities_by_basis(struct json *j, const struct quantity_values *values);

/* Appends an array with an object for each run, one a line. */
void runs_json(struct buffer *out, const struct past_run *const *runs, size_t n);

#endif
