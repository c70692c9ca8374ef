/* run_json.h - members of a JSON object that tell what a run was and how it ended. */
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

#endif
