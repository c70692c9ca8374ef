/* run_json.h - members of a JSON object that tell what a run was and how it ended. */
#ifndef RT_RUN_JSON_H
#define RT_RUN_JSON_H

#include "../core/json_write.h"
#include "past_run.h"

void json_run(struct json *j, const struct run *run);                           /* command, pids, metadata, tags */
/* STATE_COUNT: the file does not say. */
void json_ending(struct json *j, enum run_state state, const struct run_status *status);
void json_quantities(struct json *j, const struct quantity_values *values);

#endif
