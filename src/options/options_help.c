/* options_help.c - --help, from the table of options. */
#include <string.h>

#include "option_table.h"
#include "prose.h"
#include "wrapped.h"

enum { HELP_COLUMN = 28, COLUMNS_LEAST = 50, COLUMNS_MOST = 100, COLUMNS_USUAL = 80 };

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

		buffer_format(out, "  %s %s", t->word, t->takes);
		wrapped(out, t->what, out->len - before, 30, columns);
	}
}

void options_help(struct buffer *out, unsigned columns)
{
	size_t width = columns == 0 ? COLUMNS_USUAL : columns < COLUMNS_LEAST ? COLUMNS_LEAST
		     : size_min(columns, COLUMNS_MOST);

	buffer_text(out, "resource-tracker ");
	wrapped(out, prose_summary, 17, 0, width);
	buffer_char(out, '\n');
	for (const struct example *u = prose_usage; u->command; u++) {
		buffer_format(out, "%s resource-tracker %s\n", u == prose_usage ? "Usage:" : "      ", u->command);
		wrapped(out, u->what, 0, 10, width);
	}
	for (unsigned section = 0; section < SECTIONS; section++) {
		heading(out, option_sections[section]);
		for (size_t i = 0; i < option_count; i++)
			if (option_table[i].section == section)
				describe(out, &option_table[i], width);
	}
	list(out, "What is measured", prose_collectors, width);
	paragraph(out, "Where output goes", prose_output, width);
	paragraph(out, "Variables and config file", prose_variables, width);
	paragraph(out, "Exit status", prose_exit, width);
	list(out, "Subcommands", prose_subcommands, width);
	wrapped(out, prose_first_words, 0, 2, width);
	heading(out, "Examples");
	for (const struct example *e = prose_examples; e->command; e++) {
		buffer_format(out, "  %s\n", e->command);
		wrapped(out, e->what, 0, 6, width);
	}
}
