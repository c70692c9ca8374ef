/* options_help.c - --help, from the table of options. */
#include <string.h>

#include "option_table.h"
#include "prose.h"
#include "wrapped.h"

enum { HELP_COLUMN = 28, LIST_COLUMN = 30, COLUMNS_LEAST = 50, COLUMNS_MOST = 100, COLUMNS_USUAL = 80 };

/* "  -i, --interval TIME", with its help beside or below. */
static void describe(struct buffer *out, const struct option_info *option, size_t columns)
{
	size_t before = out->len;

	if (option->letter)
		buffer_format(out, "  -%c, ", option->letter);
	else
		spaces(out, 6);
	buffer_format(out, "--%s", option->name);
	if (option->argument)
		buffer_format(out, " %s", option->argument);

	size_t at = out->len - before;

	if (at + 2 > HELP_COLUMN) {
		buffer_char(out, '\n');
		at = 0;
	}
	wrapped(out, option->help, at, HELP_COLUMN, columns);
}

static void heading(struct buffer *out, const char *title)
{
	buffer_format(out, "\n%s:\n", title);
}

static void paragraph(struct buffer *out, const char *title, const char *text, size_t columns)
{
	heading(out, title);
	wrapped(out, text, 0, 2, columns);
}

/* "  summary RUN...", with its description beside it. */
static void list(struct buffer *out, const char *title, const struct term *terms, size_t columns)
{
	heading(out, title);
	for (const struct term *t = terms; t->word; t++) {
		size_t before = out->len;

		buffer_format(out, "  %s%s%s", t->word, t->takes[0] ? " " : "", t->takes);

		size_t at = out->len - before;

		if (at >= LIST_COLUMN)
			buffer_char(out, '\n');
		wrapped(out, t->what, at >= LIST_COLUMN ? 0 : at, LIST_COLUMN, columns);
	}
}

static size_t fitting(unsigned columns)
{
	return columns == 0 ? COLUMNS_USUAL : columns < COLUMNS_LEAST ? COLUMNS_LEAST : size_min(columns, COLUMNS_MOST);
}

static void all_options(struct buffer *out, size_t width)
{
	for (unsigned section = 0; section < SECTIONS; section++) {
		heading(out, option_sections[section]);
		for (size_t i = 0; i < option_count; i++)
			if (option_table[i].section == section)
				describe(out, &option_table[i], width);
	}
}

static void examples(struct buffer *out, size_t width)
{
	heading(out, "Examples");
	for (const struct example *e = prose_examples; e->command; e++) {
		buffer_format(out, "  %s\n", e->command);
		wrapped(out, e->what, 0, 6, width);
	}
}

static void measured(struct buffer *out, size_t width)
{
	list(out, "What is measured", prose_collectors, width);
}

static void output(struct buffer *out, size_t width)
{
	paragraph(out, "Where output goes", prose_output, width);
}

static void variables(struct buffer *out, size_t width)
{
	paragraph(out, "Variables and config file", prose_variables, width);
}

static void config(struct buffer *out, size_t width)
{
	paragraph(out, "Config file", prose_config, width);
	heading(out, "Example");
	buffer_text(out, prose_config_example);
}

static void exit_status(struct buffer *out, size_t width)
{
	paragraph(out, "Exit status", prose_exit, width);
}

static void files(struct buffer *out, size_t width)
{
	list(out, "Files", prose_files, width);
}

void options_help(struct buffer *out, unsigned columns)
{
	size_t width = fitting(columns);

	buffer_text(out, "resource-tracker ");
	wrapped(out, prose_summary, 17, 0, width);
	buffer_char(out, '\n');
	for (const struct example *u = prose_usage; u->command; u++) {
		buffer_format(out, "%s resource-tracker %s\n", u == prose_usage ? "Usage:" : "      ", u->command);
		wrapped(out, u->what, 0, 10, width);
	}
	all_options(out, width);
	measured(out, width);
	output(out, width);
	variables(out, width);
	exit_status(out, width);
	list(out, "Subcommands", prose_subcommands, width);
	wrapped(out, prose_first_words, 0, 2, width);
	examples(out, width);
}

bool options_help_topic(struct buffer *out, const char *topic, unsigned columns)
{
	static const struct { const char *word; void (*write)(struct buffer *out, size_t width); } topics[] = {
		{ "options", all_options }, { "measured", measured }, { "output", output }, { "variables", variables },
		{ "config", config }, { "exit", exit_status }, { "files", files }, { "examples", examples },
	};

	for (size_t i = 0; i < countof(topics); i++)
		if (strcmp(topics[i].word, topic) == 0) {
			struct buffer text = { 0 };

			topics[i].write(&text, fitting(columns));
			if (text.len > 1)               /* without the empty line before the heading */
				buffer_bytes(out, text.at + 1, text.len - 1);
			buffer_release(&text);
			return true;
		}
	return false;
}
