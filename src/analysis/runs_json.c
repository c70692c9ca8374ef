/* runs_json.c - past runs as programs read them. */
#include "runs_text.h"

#include "../core/json_write.h"
#include "../record/record_lines.h"

static void metadata(struct json *j, const struct run *run)
{
	json_key(j, "metadata");
	json_open(j, '{');
#define METADATA_KEY(name, variable) \
	if (run->name) { \
		json_key(j, #name); \
		json_text(j, run->name); \
	}
	RUN_METADATA(METADATA_KEY)
#undef METADATA_KEY
	json_close(j, '}');
	json_key(j, "tags");
	json_open(j, '[');
	for (size_t i = 0; i < run->n_tags; i++)
		json_text(j, run->tags[i]);
	json_close(j, ']');
}

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
	json_key(j, "pids");
	json_open(j, '[');
	for (size_t i = 0; i < run->n_pids; i++)
		json_i64(j, run->pids[i]);
	json_close(j, ']');
}

static void ending(struct json *j, const struct past_run *run)
{
	json_key(j, "status");
	json_text(j, run_states[run->state]);
	json_key(j, "exit_code");
	json_number(j, run->state == STATE_OK || run->state == STATE_FAILED ? run->status.value : NONE, 0);
	json_key(j, "signal");
	json_number(j, run->state == STATE_KILLED ? run->status.value : NONE, 0);
	if (run->status.reason.cause[0]) {
		json_key(j, "reason");
		json_open(j, '{');
		json_key(j, "cause");
		json_text(j, run->status.reason.cause);
		json_key(j, "certainty");
		json_text(j, run->status.reason.certainty);
		json_key(j, "text");
		json_text(j, run->status.reason.text);
		json_close(j, '}');
	}
}

void run_json(struct buffer *out, const struct past_run *run)
{
	struct json j = json_to(out);
	char utc[UTC_SIZE];

	json_open(&j, '{');
	json_key(&j, "id");
	json_text(&j, run->id);
	json_key(&j, "record");
	json_text(&j, run->path);
	json_key(&j, "record_bytes");
	json_u64(&j, run->bytes);
	if (run->problem) {
		json_key(&j, "problem");
		json_text(&j, run->problem);
	}
	ending(&j, run);
	if (run->state != STATE_UNREADABLE) {
		record_utc(utc, run->run.start_wall_ns);
		json_key(&j, "start");
		json_number(&j, (double)run->run.start_wall_ns / 1e9, 6);
		json_key(&j, "start_utc");
		json_text(&j, utc);
		json_key(&j, "host");
		json_text(&j, run->host);
		command(&j, &run->run);
		metadata(&j, &run->run);
		json_key(&j, "samples");
		json_u64(&j, run->samples);
	}
	json_key(&j, "quantities");
	json_open(&j, '{');
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++) {
		json_key(&j, quantities[q].name);
		json_number(&j, run->values.of[q], quantities[q].unit == UNIT_BYTES ? 0 : 6);
	}
	json_close(&j, '}');
	json_close(&j, '}');
}

void runs_json(struct buffer *out, const struct past_run *const *runs, size_t n)
{
	buffer_char(out, '[');
	for (size_t i = 0; i < n; i++) {
		buffer_text(out, i > 0 ? ",\n" : "\n");
		run_json(out, runs[i]);
	}
	buffer_text(out, n > 0 ? "\n]\n" : "]\n");
}
