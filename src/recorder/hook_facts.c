/* hook_facts.c - the facts of a run as JSON. */
#include "hook_facts.h"

#include <string.h>

#include "../core/sample.h"
#include "../record/record_lines.h"
#include "../record/record_name.h"
#include "../summary/quantity.h"

static const char *status_word(const struct run_status *s)
{
	static const char *const words[] = {
		[RUN_RUNNING] = "running", [RUN_EXITED] = "failed", [RUN_SIGNALED] = "killed", [RUN_ROOTS_ENDED] = "ended",
		[RUN_STOPPED] = "stopped",
	};

	return s->end == RUN_EXITED && s->value == 0 ? "ok" : words[s->end];
}

static void write_ending(struct json *j, const struct run_status *s)
{
	json_member_text(j, "status", status_word(s));
	json_member_number(j, "exit_code", s->end == RUN_EXITED ? s->value : NONE, 0);
	json_member_number(j, "signal", s->end == RUN_SIGNALED ? s->value : NONE, 0);
	record_reason(j, s);
}

static void write_command(struct json *j, const struct hook_facts *f)
{
	json_key(j, "command");
	if (f->run->command)
		record_command(j, f->run->command, f->record_command);
	else
		json_null(j);
	json_member_open(j, "pids", '[');
	for (size_t i = 0; i < f->run->n_pids; i++)
		json_i64(j, f->run->pids[i]);
	json_close(j, ']');
}

static void write_quantities(struct json *j, const struct hook_facts *f)
{
	struct quantity_values values;

	quantities_read(&values, f->whole, f->seconds, f->run->n_pids > 0, NULL, 0);
	json_member_open(j, "quantities", '{');
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		json_member_number(j, quantities[q].name, quantity_value(&values, q),
				   quantities[q].unit == UNIT_BYTES ? 0 : 6);
	json_close(j, '}');
}

void hook_facts_write(struct buffer *out, const struct hook_facts *f)
{
	struct json j = json_to(out);
	char id[160];

	record_name(id, sizeof id, f->run, f->host);
	json_open(&j, '{');
	json_member_text(&j, "event", f->limit ? "limit" : "end");
	json_member_text(&j, "limit", f->limit);
	json_member_number(&j, "value", f->value, 6);
	json_key(&j, "id");
	json_text_n(&j, id, strlen(id) - strlen(".jsonl"));
	json_member_text(&j, "record", f->record);
	write_ending(&j, f->status);
	record_time(&j, "start", "start_utc", f->run->start_wall_ns);
	json_member_text(&j, "host", f->host);
	write_command(&j, f);
	record_metadata(&j, f->run);
	record_job(&j, f->run->job);
	json_member_u64(&j, "samples", aggregate_samples(f->whole));
	write_quantities(&j, f);
	json_close(&j, '}');
	buffer_char(out, '\n');
}
