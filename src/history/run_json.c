/* run_json.c - members of a JSON object that tell what a run was and how it ended. */
#include "run_json.h"

#include "../record/record_lines.h"

static void command(struct json *j, const struct run *run)
{
	json_key(j, "command");
	if (run->command) {
		json_open(j, '[');
		for (size_t i = 0; run->command[i]; i++)
			json_text(j, run->command[i]);
		json_close(j, ']');
	} else {
		json_null(j);
	}
	json_member_open(j, "pids", '[');
	for (size_t i = 0; i < run->n_pids; i++)
		json_i64(j, run->pids[i]);
	json_close(j, ']');
}

void json_run(struct json *j, const struct run *run)
{
	command(j, run);
	record_metadata(j, run);
}

void json_ending(struct json *j, enum run_state state, const struct run_status *status)
{
	json_member_text(j, "status", state < STATE_COUNT ? run_states[state] : NULL);
	json_member_number(j, "exit_code", state == STATE_OK || state == STATE_FAILED ? status->value : NONE, 0);
	json_member_number(j, "signal", state == STATE_KILLED ? status->value : NONE, 0);
	record_reason(j, status);
}

void json_quantities(struct json *j, const struct quantity_values *values)
{
	json_member_open(j, "quantities", '{');
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		json_member_number(j, quantities[q].name, values->of[q], quantities[q].unit == UNIT_BYTES ? 0 : 6);
	json_close(j, '}');
}
