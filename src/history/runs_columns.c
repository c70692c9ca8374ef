/* runs_columns.c - the columns of a list of runs: their names, and a run's value in each. */
#include "runs_columns.h"

#include <string.h>
#include <time.h>

#include "../text/did_you_mean.h"
#include "../text/human.h"
#include "../text/job_words.h"
#include "../text/shown.h"

enum usual { USUAL_ALWAYS, USUAL_SOME, USUAL_ASKED };

static const struct { const char *name, *title; bool right; enum usual usual; } columns_of[COLUMN_COUNT] = {
#define COLUMN(NAME, name, title, right, usual, help) { #name, title, right, USUAL_##usual },
#include "../core/run_columns.def"
};

/* The title of the column of memory: the same basis for all jobs. */
static const char *const peak_titles[BASIS_COUNT + 1] = { [BASIS_PSS] = "PEAK PSS", [BASIS_RSS] = "PEAK RSS" };

enum { STATUS_SIZE = 32, COLUMNS_ALL = COLUMN_COUNT + QUANTITY_COUNT };

/* Columns after the named ones are quantities. */
static enum quantity quantity_of(size_t column)
{
	return (enum quantity)(column - COLUMN_COUNT);
}

static const char *name_of(size_t column)
{
	return column < COLUMN_COUNT ? columns_of[column].name : quantities[quantity_of(column)].name;
}

int runs_column_find(size_t *ret, struct word word, const char *flag, struct why *why)
{
	char text[40];
	struct guess guess = { .word = text };

	(void)word_copy(word, text, sizeof text);
	for (size_t i = 0; i < COLUMNS_ALL; i++) {
		if (word_is(word, name_of(i))) {
			*ret = i;
			return 0;
		}
		guess_consider(&guess, name_of(i));
	}
	return guess.best ? why_set(why, -EINVAL, "--%s: there is no '%s'; did you mean %s?", flag, show(text).text, guess.best)
			  : why_set(why, -EINVAL, "--%s: there is no '%s'; 'resource-tracker runs --help' lists the columns",
				    flag, show(text).text);
}

void runs_column_names(struct buffer *out, size_t width)
{
	size_t at = width;

	for (size_t i = 0; i < COLUMNS_ALL; i++) {
		size_t n = strlen(name_of(i)) + 1;

		buffer_text(out, at + n > width ? "\n  " : " ");
		at = at + n > width ? n + 1 : at + n;
		buffer_text(out, name_of(i));
	}
	buffer_char(out, '\n');
}

int runs_columns_read(struct runs_columns *ret, const char *list, struct why *why)
{
	struct runs_columns columns = { .n = 0 };
	struct word word;

	while (list_next(&list, &word)) {
		if (columns.n == RUNS_COLUMNS_MOST)
			return why_set(why, -EINVAL, "--columns: more than %d", RUNS_COLUMNS_MOST);
		if (runs_column_find(&columns.at[columns.n++], word, "columns", why) < 0)
			return -EINVAL;
	}
	*ret = columns;
	return 0;
}

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

/* The value of a run that watched the machine is marked as the machine's. */
static void quantity(struct buffer *out, const struct past_run *run, enum quantity q, enum basis basis,
		     void (*write)(struct buffer *out, double value))
{
	double machine = run->values.by[q][BASIS_MACHINE];

	if (!is_none(machine))
		buffer_text(out, "machine ");
	known(out, is_none(machine) && basis < BASIS_COUNT ? run->values.by[q][basis] : machine, write);
}


static void tags(struct buffer *out, const struct past_run *run)
{
	for (size_t i = 0; i < run->run.n_tags; i++) {
		buffer_text(out, i > 0 ? "," : "");
		buffer_text(out, run->run.tags[i]);
	}
}

void runs_cell(struct buffer *out, const struct past_run *run, size_t column, enum basis memory, bool utf8)
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
	case COLUMN_HOST:
		buffer_text(out, run->host);
		break;
	case COLUMN_TAGS:
		tags(out, run);
		break;
	case COLUMN_COMMAND:
		past_run_command(out, run, utf8);
		break;
	default:
		quantity_write(out, quantity_of(column), quantity_value(&run->values, quantity_of(column)), false);
	}
}

double runs_column_number(const struct past_run *run, size_t column)
{
	switch (column) {
	case COLUMN_AGE:
		return run->run.start_wall_ns == 0 ? NONE : (double)run->run.start_wall_ns;
	case COLUMN_TIME:
		return quantity_value(&run->values, QUANTITY_duration);
	case COLUMN_CPU:
		return quantity_value(&run->values, QUANTITY_cpu_time);
	case COLUMN_MEMORY:
		return quantity_value(&run->values, QUANTITY_peak_memory);
	default:
		return column < COLUMN_COUNT ? NONE : quantity_value(&run->values, quantity_of(column));
	}
}

bool runs_column_is_number(size_t column)
{
	return column >= COLUMN_COUNT || columns_of[column].right;
}

/* "PEAK_RSS" for a quantity. */
void runs_title(struct buffer *out, size_t column, enum basis memory)
{
	if (column < COLUMN_COUNT) {
		bool memory_of = column == COLUMN_MEMORY && peak_titles[memory];

		buffer_text(out, memory_of ? peak_titles[memory] : columns_of[column].title);
		return;
	}
	for (const char *c = name_of(column); *c; c++)
		buffer_char(out, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
}

void runs_columns_usual(struct runs_columns *ret, const struct past_run *const *runs, size_t n)
{
	struct buffer text = { 0 };

	ret->n = 0;
	for (size_t c = 0; c < COLUMN_COUNT; c++) {
		buffer_clear(&text);
		for (size_t i = 0; columns_of[c].usual == USUAL_SOME && text.len == 0 && i < n; i++)
			runs_cell(&text, runs[i], c, BASIS_COUNT, true);
		if (columns_of[c].usual == USUAL_ALWAYS || text.len > 0)
			ret->at[ret->n++] = c;
	}
	buffer_release(&text);
}
