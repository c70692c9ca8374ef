/* run_json.h - past runs as JSON, and members of such an object for other writers. */
#ifndef RT_RUN_JSON_H
#define RT_RUN_JSON_H

#include "../core/json_write.h"
#include "past_run.h"

void json_run(struct json *j, const struct run *run);                           /* command, pids, metadata, tags, job */
/* STATE_COUNT: the file has no state. */
void json_ending(struct json *j, enum run_state state, const struct run_status *status);
/* Each quantity on all bases on which it is known, for the comparison of several runs. */
void json_quantities_by_basis(struct json *j, const struct quantity_values *values);
/* Each quantity on its best basis, with the basis. */
void json_quantities(struct json *j, const struct quantity_values *values);

/* An array with an object for each run, one a line. */
void runs_json(struct buffer *out, const struct past_run *const *runs, size_t n);

#endif
