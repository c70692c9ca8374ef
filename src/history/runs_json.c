/* runs_json.c - past runs as programs read them. */
#include "runs_text.h"

#include "../text/utc.h"
#include "run_json.h"

static void run_json(struct buffer *out, const struct past_run *run)
{
	struct json j = json_to(out);
	char utc[UTC_SIZE];

	json_open(&j, '{');
	json_member_text(&j, "id", run->id);
	json_member_text(&j, "record", run->path);
	json_member_u64(&j, "record_bytes", run->bytes);
	if (run->problem)
		json_member_text(&j, "problem", run->problem);
	json_ending(&j, run->state, &run->status);
	if (run->state != STATE_UNREADABLE) {
		utc_write(utc, run->run.start_wall_ns);
		json_member_number(&j, "start", (double)run->run.start_wall_ns / 1e9, 6);
		json_member_text(&j, "start_utc", utc);
		json_member_text(&j, "host", run->host);
		json_run(&j, &run->run);
		json_member_u64(&j, "samples", run->samples);
	}
	json_quantities(&j, &run->values);
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
