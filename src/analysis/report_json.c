/* report_json.c - a run as data of the report's page: docs/report-data.md. */
#include "report_run.h"

#include <string.h>
#include <sys/stat.h>

#include "../record/human.h"
#include "../record/mask.h"
#include "../record/record_lines.h"
#include "../record/summary_parts.h"
#include "advice.h"
#include "past_run.h"
#include "still_running.h"

/* Times before 1973 count from some other beginning. */
static const int64_t FIRST_DATE_NS = 100000000 * NS_PER_SECOND;

enum { COMMAND_LONGEST = 8192 };

/* ---- what it was ------------------------------------------------------------------------------- */

static void command_text(struct buffer *out, const struct run *run)
{
	struct buffer masked = { 0 };
	bool secret = false;

	for (size_t i = 0; run->command && run->command[i]; i++) {
		buffer_clear(&masked);
		secret = mask_argument(&masked, run->command[i], secret);
		if (i > 0)
			buffer_char(out, ' ');
		human_word(out, masked.at ? masked.at : "", masked.len, true);
	}
	phrase_fit(out, COMMAND_LONGEST, true);
	buffer_release(&masked);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *id_of(const struct digest *d)
{
	return *d->facts->id ? d->facts->id : strcmp(d->path, "-") == 0 ? "stdin" : base_name(d->path);
}

void report_run_name(struct buffer *out, const struct report_run *r)
{
	buffer_text(out, id_of(&r->digest));
}

static void name_text(struct buffer *out, const struct digest *d)
{
	const struct run *run = &d->facts->run;

	if (run->job_name)
		buffer_text(out, run->job_name);
	else if (run->command && run->command[0])
		buffer_text(out, base_name(run->command[0]));
	else if (!d->facts->tells_end)
		buffer_text(out, id_of(d));
	else if (run->n_pids > 0)
		for (size_t i = 0; i < size_min(run->n_pids, 8); i++)
			buffer_format(out, "%s%d", i == 0 ? "process " : ", ", (int)run->pids[i]);
	else
		buffer_format(out, "machine %s", d->facts->host.name);
}

static bool is_running(const struct digest *d)
{
	struct stat status;

	return d->facts->tells_end && d->facts->status.end == RUN_RUNNING && strcmp(d->path, "-") != 0 &&
	       stat(d->path, &status) == 0 &&
	       still_running(d->facts->id, d->facts->host.name, d->facts->run.start_wall_ns, status.st_mtime);
}

static const char *outcome(const struct digest *d)
{
	switch (state_of_status(&d->facts->status)) {
	case STATE_OK:
		return "succeeded";
	case STATE_FAILED:
	case STATE_KILLED:
		return "failed";
	case STATE_ENDED:
	case STATE_STOPPED:
		return "ended";
	case STATE_RUNNING:
	case STATE_TRUNCATED:
	case STATE_UNREADABLE:
	case STATE_COUNT:
		break;
	}
	return !d->facts->tells_end ? "unknown" : is_running(d) ? "running" : "incomplete";
}

/* "exit 1 after 3.02s: the kernel killed it ..." */
static void ending_text(struct buffer *out, const struct digest *d)
{
	const struct run_status *status = &d->facts->status;
	struct past_run run = { .state = state_of_status(status), .status = *status };
	char words[32];

	past_run_status(words, sizeof words, &run);
	if (status->end == RUN_RUNNING && is_running(d))
		buffer_text(out, "still running");
	else
		buffer_text(out, status->end == RUN_RUNNING ? "how it ended is unknown, last seen" : words);
	buffer_text(out, " after ");
	human_seconds(out, d->seconds);
	if (status->core_dumped)
		buffer_text(out, ", core dumped");
	if (status->reason.text[0])
		buffer_format(out, ": %s", status->reason.text);
}

static void text_member(struct json *j, const char *key, struct buffer *text)
{
	json_key(j, key);
	json_text_n(j, text->at ? text->at : "", text->len);
	buffer_clear(text);
}

static void head(struct json *j, const struct digest *d)
{
	const struct recording_facts *f = d->facts;
	struct buffer text = { 0 };

	json_key(j, "id");
	json_text(j, id_of(d));
	name_text(&text, d);
	text_member(j, "name", &text);
	if (f->run.command) {
		command_text(&text, &f->run);
		text_member(j, "command", &text);
	}
	json_key(j, "source");
	json_text(j, f->format);
	json_key(j, "started_at");
	json_number(j, f->run.start_wall_ns >= FIRST_DATE_NS ? (double)f->run.start_wall_ns / 1e9 : NONE, 3);
	json_key(j, "duration_seconds");
	json_number(j, d->seconds, 4);
	json_key(j, "outcome");
	json_text(j, outcome(d));
	ending_text(&text, d);
	text_member(j, "ending", &text);
	buffer_release(&text);
}

/* ---- what it advises ---------------------------------------------------------------------------- */

static void advice_item(struct json *j, const char *what, const char *value, const char *why)
{
	json_open(j, '{');
	json_key(j, "what");
	json_text(j, what);
	json_key(j, "value");
	json_text(j, value);
	json_key(j, "why");
	json_text(j, why);
	json_close(j, '}');
}

/* As `recommend` gives it for this run alone. */
static void advice(struct json *j, const struct report_run *r)
{
	struct run_use use;
	struct advice a;

	if (!r->digest.facts->tracked || aggregate_samples(r->digest.whole) == 0)
		return;
	run_use_read(&use, &r->digest);
	advise(&a, &use, 1);
	json_key(j, "advice");
	json_open(j, '[');
	for (enum advised i = 0; i < ADVISED_COUNT; i++)
		if (a.of[i].why[0])
			advice_item(j, advised[i].name, a.of[i].value, a.of[i].why);
	for (enum finding i = 0; i < FINDING_COUNT; i++)
		if (a.findings[i][0])
			advice_item(j, findings[i].label, "", a.findings[i]);
	json_close(j, ']');
}

void report_run_json(struct json *j, const struct report_run *r)
{
	json_open(j, '{');
	head(j, &r->digest);
	report_facts(j, r);
	advice(j, r);
	report_methods(j, r);
	report_charts(j, r);
	report_events(j, r);
	json_close(j, '}');
}
