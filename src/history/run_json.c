/* run_json.c - past runs as JSON. */
#include "run_json.h"

#include "../record/record_lines.h"
#include "../text/utc.h"

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

static void json_run(struct json *j, const struct run *run)
{
	command(j, run);
	record_metadata(j, run);
	if (run->job) {
		record_job(j, run->job);
	} else {
		json_key(j, "job");
		json_null(j);
	}
}

static void json_ending(struct json *j, enum run_state state, const struct run_status *status)
{
	json_member_text(j, "status", state < STATE_COUNT ? run_states[state] : NULL);
	json_member_number(j, "exit_code", state == STATE_OK || state == STATE_FAILED ? status->value : NONE, 0);
	json_member_number(j, "signal", state == STATE_KILLED ? status->value : NONE, 0);
	record_reason(j, status);
}

static void number(struct json *j, const char *key, enum quantity q, double value)
{
	json_member_number(j, key, value, quantities[q].unit == UNIT_BYTES ? 0 : 6);
}

void json_quantities_by_basis(struct json *j, const struct quantity_values *values)
{
	json_member_open(j, "quantities", '{');
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++) {
		if (quantity_basis(values, q) == BASIS_COUNT)
			continue;
		json_member_open(j, quantities[q].name, '{');
		for (enum basis b = 0; b < BASIS_COUNT; b++)
			if (!is_none(values->by[q][b]))
				number(j, basis_names[b], q, values->by[q][b]);
		json_close(j, '}');
	}
	json_close(j, '}');
}

static void json_quantities(struct json *j, const struct quantity_values *values)
{
	json_member_open(j, "quantities", '{');
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		number(j, quantities[q].name, q, quantity_value(values, q));
	json_close(j, '}');
	json_member_open(j, "quantity_bases", '{');
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		json_member_text(j, quantities[q].name, basis_names[quantity_basis(values, q)]);
	json_close(j, '}');
}

void json_run_facts(struct json *j, const struct run_facts *f)
{
	char utc[UTC_SIZE];

	json_member_text(j, "id", f->id);
	json_member_text(j, "record", f->record);
	json_ending(j, f->state, f->status);
	if (f->run) {
		utc_write(utc, f->run->start_wall_ns);
		json_member_number(j, "start", (double)f->run->start_wall_ns / 1e9, 6);
		json_member_text(j, "start_utc", utc);
		json_member_text(j, "host", f->host);
		json_run(j, f->run);
		json_member_u64(j, "samples", f->samples);
	}
	json_quantities(j, f->values);
}

static void one_run(struct buffer *out, const struct past_run *run)
{
	struct json j = json_to(out);
	const struct run_facts facts = {
		.id = run->id, .record = run->path, .host = run->host, .state = run->state, .status = &run->status,
		.run = run->state == STATE_UNREADABLE ? NULL : &run->run, .samples = run->samples,
		.values = &run->values,
	};

	json_open(&j, '{');
	json_run_facts(&j, &facts);
	json_member_u64(&j, "record_bytes", run->bytes);
	if (run->problem)
		json_member_text(&j, "problem", run->problem);
	json_close(&j, '}');
}

void runs_json(struct buffer *out, const struct past_run *const *runs, size_t n)
{
	buffer_char(out, '[');
	for (size_t i = 0; i < n; i++) {
		buffer_text(out, i > 0 ? ",\n" : "\n");
		one_run(out, runs[i]);
	}
	buffer_text(out, n > 0 ? "\n]\n" : "]\n");
}
