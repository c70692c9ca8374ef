/* runs_text.c - all facts of one past run, as text. */
#include "runs_text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../text/human.h"
#include "../text/job_words.h"
#include "../text/shown.h"

enum { STATUS_SIZE = 32 };

static void line(struct buffer *out, const char *label, const char *text, size_t n)
{
	if (n == 0)
		return;
	buffer_text(out, label);
	for (size_t width = strlen(label); width < 17; width++)
		buffer_char(out, ' ');
	show_text(out, text, n, '?');
	buffer_char(out, '\n');
}

static void text_line(struct buffer *out, const char *label, const char *text)
{
	line(out, label, text, text ? strlen(text) : 0);
}

static void quantity_line(struct buffer *out, enum quantity q, double value, enum basis basis)
{
	struct buffer text = { 0 };

	if (is_none(value))
		return;
	quantity_write(&text, q, value, false);
	buffer_text(&text, basis_words(basis));
	line(out, quantities[q].name, text.at, text.len);
	buffer_release(&text);
}

static void local_time(char *ret, size_t size, int64_t wall_ns)
{
	time_t seconds = (time_t)(wall_ns / NS_PER_SECOND);
	struct tm tm;

	*ret = '\0';
	if (wall_ns != 0 && localtime_r(&seconds, &tm))
		(void)strftime(ret, size, "%Y-%m-%d %H:%M:%S %z", &tm);
}

static void host_line(struct buffer *out, const struct past_run *run)
{
	struct buffer text = { 0 };

	buffer_text(&text, run->host);
	if (!is_none(run->cpus))
		buffer_format(&text, ", %.0f CPUs", run->cpus);
	if (*run->cpu_model)
		buffer_format(&text, " (%s)", run->cpu_model);
	if (!is_none(run->memory_bytes)) {
		buffer_text(&text, ", ");
		human_bytes(&text, run->memory_bytes);
	}
	if (*run->kernel)
		buffer_format(&text, ", Linux %s", run->kernel);
	line(out, "host", text.at, text.len);
	buffer_release(&text);
}

void runs_card(struct buffer *out, const struct past_run *run, const struct summary_style *style)
{
	char text[STATUS_SIZE + 32];
	struct buffer words = { 0 }, job = { 0 };

	text_line(out, "run", run->id);
	if (run->state == STATE_UNREADABLE) {
		text_line(out, "status", run_states[run->state]);
		text_line(out, "problem", run->problem);
		text_line(out, "record", run->path);
		return;
	}
	past_run_command(&words, run, style->utf8);
	line(out, "command", words.at, words.len);
	buffer_release(&words);
#define METADATA_LINE(name, variable) text_line(out, #name, run->run.name);
	RUN_METADATA(METADATA_LINE)
#undef METADATA_LINE
	if (run->run.job)
		job_words(&job, run->run.job);
	line(out, "job", job.at, job.len);
	buffer_release(&job);
	for (size_t i = 0; i < run->run.n_tags; i++)
		text_line(out, i == 0 ? "tags" : "", run->run.tags[i]);
	host_line(out, run);
	local_time(text, sizeof text, run->run.start_wall_ns);
	text_line(out, "started", text);
	past_run_status(text, sizeof text, run);
	text_line(out, "status", text);
	text_line(out, "cause", run->status.reason.text);
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		quantity_line(out, q, quantity_value(&run->values, q), quantity_basis(&run->values, q));
	for (size_t i = 0; i < run->n_notices; i++)
		text_line(out, i == 0 ? "notes" : "", run->notices[i]);
	(void)snprintf(text, sizeof text, "%llu", (unsigned long long)run->samples);
	text_line(out, "samples", text);
	text_line(out, "record", run->path);
}
