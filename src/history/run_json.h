/* run_json.h - past runs as programs read them, and the members of such an object for others. */
#ifndef RT_RUN_JSON_H
#define RT_RUN_JSON_H

#include "../core/json_write.h"
#include "past_run.h"

void json_run(struct json *j, const struct run *run);                           /* command, pids, metadata, tags, job */
/* STATE_COUNT: the file does not say. */
void json_ending(struct json *j, enum run_state state, const struct run_status *status);
/* Each by all bases on which it is known: what several runs are compared by. */
void json_quantities_by_basis(struct json *j, const struct quantity_values *values);
/* Each on its best basis, and which that is. */
void json_quantities(struct json *j, const struct quantity_values *values);

/* An array with an object for each run, one a line. */
void runs_json(struct buffer *out, const struct past_run *const *runs, size_t n);

#endif
