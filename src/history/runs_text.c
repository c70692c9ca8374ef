/* runs_text.c - past runs as text. */
#include "runs_text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../text/human.h"
#include "../text/job_words.h"
#include "../text/shown.h"

enum column { COLUMN_RUN, COLUMN_AGE, COLUMN_STATUS, COLUMN_TIME, COLUMN_CPU, COLUMN_MEMORY, COLUMN_NAME, COLUMN_JOB,
	      COLUMN_COMMAND, COLUMN_COUNT };

static const struct { const char *title; bool right; } columns_of[COLUMN_COUNT] = {
	[COLUMN_RUN] = { "RUN", false }, [COLUMN_AGE] = { "AGE", true }, [COLUMN_STATUS] = { "STATUS", false },
	[COLUMN_TIME] = { "TIME", true }, [COLUMN_CPU] = { "CPU", true }, [COLUMN_MEMORY] = { "PEAK MEMORY", true },
	[COLUMN_NAME] = { "NAME", false }, [COLUMN_JOB] = { "JOB", false }, [COLUMN_COMMAND] = { "COMMAND", false },
};

/* The title of the column of memory: the same basis for all jobs. */
static const char *const peak_titles[BASIS_COUNT + 1] = { [BASIS_PSS] = "PEAK PSS", [BASIS_RSS] = "PEAK RSS" };

enum { COMMAND_LEAST = 16, STATUS_SIZE = 32 };

static void age(struct buffer *out, int64_t start_wall_ns)
{
	static const struct { char unit; int64_t seconds, below; } units[] = {
		{ 's', 1, 60 }, { 'm', 60, 3600 }, { 'h', 3600, 48 * 3600 }, { 'd', 86400, INT64_MAX },
	};
	int64_t passed = (int64_t)time(NULL) - start_wall_ns / NS_PER_SECOND;
	size_t i = 0;

	if (start_wall_ns == 0)
		return;
	passed = passed > 0 ? passed : 0;
	while (passed >= units[i].below)
		i++;
	buffer_format(out, "%lld%c", (long long)(passed / units[i].seconds), units[i].unit);
}

static void known(struct buffer *out, double value, void (*write)(struct buffer *out, double value))
{
	if (!is_none(value))
		write(out, value);
}

/* The best basis that all jobs of the list with this quantity have. */
static enum basis basis_of_jobs(const struct past_run *const *runs, size_t n, enum quantity q)
{
	struct basis_set set = basis_set_all();

	for (size_t i = 0; i < n; i++)
		if (is_none(runs[i]->values.by[q][BASIS_MACHINE]))
			basis_set_narrow(&set, &runs[i]->values, q);
	return basis_set_best(&set);
}

/* The value of a run that watched the machine is marked as the machine's. */
static void quantity(struct buffer *out, const struct past_run *run, enum quantity q, enum basis basis,
		     void (*write)(struct buffer *out, double value))
{
	double machine = run->values.by[q][BASIS_MACHINE];

	if (!is_none(machine))
		buffer_text(out, "machine ");
	known(out, is_none(machine) && basis < BASIS_COUNT ? run->values.by[q][basis] : machine, write);
}

static void command(struct buffer *out, const struct past_run *run, bool utf8)
{
	if (run->state == STATE_UNREADABLE && run->problem)
		buffer_text(out, run->problem);
	for (size_t i = 0; run->run.command && run->run.command[i]; i++) {
		if (i > 0)
			buffer_char(out, ' ');
		human_word(out, run->run.command[i], strlen(run->run.command[i]), utf8);
	}
	if (run->run.command || run->state == STATE_UNREADABLE)
		return;
	buffer_text(out, run->run.n_pids > 0 ? "--pid" : "(the machine)");
	for (size_t i = 0; i < run->run.n_pids; i++)
		buffer_format(out, "%c%d", i > 0 ? ',' : ' ', (int)run->run.pids[i]);
}

static void cell(struct buffer *out, const struct past_run *run, enum column column, enum basis memory, bool utf8)
{
	char status[STATUS_SIZE];

	switch (column) {
	case COLUMN_RUN:
		buffer_bytes(out, run->id, run->short_id);
		break;
	case COLUMN_AGE:
		age(out, run->run.start_wall_ns);
		break;
	case COLUMN_STATUS:
		past_run_status(status, sizeof status, run);
		buffer_text(out, status);
		break;
	case COLUMN_TIME:
		known(out, quantity_value(&run->values, QUANTITY_duration), human_seconds);
		break;
	case COLUMN_CPU:
		quantity(out, run, QUANTITY_cpu_time, BASIS_JOB, human_seconds);
		break;
	case COLUMN_MEMORY:
		quantity(out, run, QUANTITY_peak_memory, memory, human_bytes);
		break;
	case COLUMN_JOB:
		if (run->run.job)
			job_short_words(out, run->run.job);
		break;
	case COLUMN_NAME:
		if (run->run.job_name)
			human_word(out, run->run.job_name, strlen(run->run.job_name), utf8);
		break;
	case COLUMN_COMMAND:
	case COLUMN_COUNT:
		command(out, run, utf8);
		break;
	}
}

static unsigned width_of(const char *text, size_t n)
{
	unsigned width = 0;

	for (size_t i = 0; i < n; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

/* At most `width` characters, without control characters. */
static void put(struct buffer *out, const char *text, size_t n, unsigned width)
{
	bool fit;

	for (size_t i = 0, length; i < n && width-- > 0; i += length) {
		length = sign_length(text + i, n - i, &fit);
		show_text(out, text + i, length, '?');
	}
}

static void pad(struct buffer *out, unsigned width, unsigned to)
{
	for (; width < to; width++)
		buffer_char(out, ' ');
}

static void put_cell(struct buffer *out, const struct buffer *text, enum column column, unsigned width)
{
	unsigned has = width_of(text->at, text->len);

	if (column == COLUMN_COMMAND) {                 /* the last column: cut to the remaining width */
		put(out, text->at, text->len, width);
		buffer_char(out, '\n');
		return;
	}
	if (columns_of[column].right)
		pad(out, has, width);
	put(out, text->at, text->len, has);
	if (!columns_of[column].right)
		pad(out, has, width);
	buffer_text(out, "  ");
}

static const char *title_of(enum column column, enum basis memory)
{
	return column == COLUMN_MEMORY && peak_titles[memory] ? peak_titles[memory] : columns_of[column].title;
}

void runs_table(struct buffer *out, const struct past_run *const *runs, size_t n, unsigned columns, bool utf8)
{
	unsigned widths[COLUMN_COUNT] = { 0 }, before = 0;
	enum basis memory = basis_of_jobs(runs, n, QUANTITY_peak_memory);
	struct buffer text = { 0 };

	for (enum column c = 0; c < COLUMN_COUNT; c++) {
		for (size_t i = 0; i < n; i++) {
			buffer_clear(&text);
			cell(&text, runs[i], c, memory, utf8);
			unsigned has = width_of(text.at, text.len);

			widths[c] = has > widths[c] ? has : widths[c];
		}
		if (widths[c] > 0 && strlen(title_of(c, memory)) > widths[c])
			widths[c] = (unsigned)strlen(title_of(c, memory));
		if (c != COLUMN_COMMAND && widths[c] > 0)
			before += widths[c] + 2;
	}
	widths[COLUMN_COMMAND] = columns == 0 ? UINT32_MAX
			       : columns > before + COMMAND_LEAST ? columns - before : COMMAND_LEAST;
	for (size_t i = 0; i < n + 1; i++)
		for (enum column c = 0; c < COLUMN_COUNT; c++) {
			if (widths[c] == 0)             /* no run has a name, or is part of a job */
				continue;
			buffer_clear(&text);
			if (i == 0)
				buffer_text(&text, title_of(c, memory));
			else
				cell(&text, runs[i - 1], c, memory, utf8);
			put_cell(out, &text, c, widths[c]);
		}
	buffer_release(&text);
}

/* ---- one run ----------------------------------------------------------------------------- */

static void line(struct buffer *out, const char *label, const char *text, size_t n)
{
	if (n == 0)
		return;
	buffer_text(out, label);
	pad(out, (unsigned)strlen(label), 17);
	put(out, text, n, UINT32_MAX);
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
	command(&words, run, style->utf8);
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
