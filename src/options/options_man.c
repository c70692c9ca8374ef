/* options_man.c - the man page in the notation of scdoc(5), from the table of options. */
#include <string.h>

#include "option_table.h"
#include "prose.h"

/* Escapes text for scdoc. */
static void plain(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("\\*_`~#[]", *text))
			buffer_char(out, '\\');
		buffer_char(out, *text);
	}
}

static void styled(struct buffer *out, char style, const char *text)
{
	buffer_char(out, style);
	plain(out, text);
	buffer_char(out, style);
}

static void option(struct buffer *out, const struct option_info *o)
{
	if (o->letter)
		buffer_format(out, "*-%c*, ", o->letter);
	buffer_text(out, "*--");
	plain(out, o->name);
	buffer_char(out, '*');
	if (o->argument) {
		buffer_char(out, ' ');
		styled(out, '_', o->argument);
	}
	buffer_text(out, "\n\t");
	plain(out, o->help);
	if (o->variable) {
		buffer_text(out, "++\nVariable: ");
		plain(out, OPTION_VARIABLE);
		plain(out, o->variable);
		if (o->peer_variable) {
			buffer_text(out, " or ");
			plain(out, OPTION_PEER_VARIABLE);
			plain(out, o->variable);
		}
		buffer_text(out, ".");
	}
	if (o->key) {
		buffer_text(out, " Config: ");
		plain(out, o->key);
		buffer_text(out, ".");
	}
	buffer_text(out, "\n\n");
}

static void section(struct buffer *out, const char *title, const char *text)
{
	buffer_format(out, "# %s\n\n", title);
	plain(out, text);
	buffer_text(out, "\n\n");
}

static void aliases(struct buffer *out)
{
	buffer_text(out, "Other names that are understood: ");
	for (const struct option_alias *a = option_aliases; a->other; a++) {
		buffer_text(out, a == option_aliases ? "--" : ", --");
		plain(out, a->other);
		buffer_format(out, " for --%s", a->name);
	}
	buffer_text(out, "; in the config file ");
	for (const struct option_alias *a = option_key_aliases; a->other; a++) {
		buffer_text(out, a == option_key_aliases ? "" : ", ");
		plain(out, a->other);
		buffer_text(out, " for ");
		plain(out, a->name);
	}
	buffer_text(out, ".\n\n");
}

static void list(struct buffer *out, const struct term *terms)
{
	for (const struct term *t = terms; t->word; t++) {
		styled(out, '*', t->word);
		if (t->takes[0]) {
			buffer_char(out, ' ');
			styled(out, '_', t->takes);
		}
		buffer_text(out, "\n\t");
		plain(out, t->what);
		buffer_text(out, "\n\n");
	}
}

static void files(struct buffer *out)
{
	buffer_text(out, "# FILES\n\n");
	list(out, prose_files);
}

/* All pages but one. */
static void see_also(struct buffer *out, const char *but)
{
	const char *between = "";

	buffer_text(out, "# SEE ALSO\n\n");
	if (*but) {
		buffer_text(out, "*resource-tracker*(1)");
		between = ", ";
	}
	for (const struct term *t = prose_subcommands; t->word; t++) {
		if (strcmp(t->word, but) == 0)
			continue;
		buffer_format(out, "%s*resource-tracker-%s*(1)", between, t->word);
		between = ", ";
	}
	buffer_text(out, "\n");
}

bool options_man_command(struct buffer *out, const char *word, const char *usage)
{
	const struct term *t = prose_subcommands;

	while (t->word && strcmp(t->word, word) != 0)
		t++;
	if (!t->word)
		return false;
	buffer_format(out, "resource-tracker-%s(1) \"resource-tracker " RT_VERSION "\" \"User commands\"\n\n# NAME\n\n", word);
	buffer_format(out, "resource-tracker-%s - ", word);
	plain(out, t->what);
	buffer_format(out, "\n\n# SYNOPSIS\n\n*resource-tracker %s* ", word);
	plain(out, t->takes);
	buffer_text(out, "\n\n# DESCRIPTION\n\n```\n");
	buffer_text(out, usage);
	buffer_text(out, "```\n\n# EXIT STATUS\n\n");
	plain(out, prose_command_exit);
	buffer_text(out, "\n\n");
	files(out);
	see_also(out, word);
	return true;
}

void options_man(struct buffer *out)
{
	buffer_text(out, "resource-tracker(1) \"resource-tracker " RT_VERSION "\" \"User commands\"\n\n# NAME\n\n");
	buffer_format(out, "resource-tracker - %s\n\n# SYNOPSIS\n\n", prose_summary);
	for (const struct example *u = prose_usage; u->command; u++) {
		buffer_text(out, "*resource-tracker* ");
		plain(out, u->command);
		buffer_text(out, u[1].command ? "++\n" : "\n\n");
	}
	section(out, "DESCRIPTION", prose_output);
	buffer_text(out, "# OPTIONS\n\n");
	for (unsigned s = 0; s < SECTIONS; s++) {
		buffer_format(out, "## %s\n\n", option_sections[s]);
		for (size_t i = 0; i < option_count; i++)
			if (option_table[i].section == s)
				option(out, &option_table[i]);
	}
	aliases(out);
	buffer_text(out, "# WHAT IS MEASURED\n\n");
	list(out, prose_collectors);
	buffer_text(out, "# SUBCOMMANDS\n\n");
	list(out, prose_subcommands);
	plain(out, prose_first_words);
	buffer_text(out, "\n\n");
	section(out, "ENVIRONMENT", prose_variables);
	section(out, "CONFIGURATION FILE", prose_config);
	buffer_text(out, "```\n");
	buffer_text(out, prose_config_example);
	buffer_text(out, "```\n\n");
	section(out, "EXIT STATUS", prose_exit);
	buffer_text(out, "# EXAMPLES\n\n");
	for (const struct example *e = prose_examples; e->command; e++) {
		plain(out, e->command);
		buffer_text(out, "\n\t");
		plain(out, e->what);
		buffer_text(out, "\n\n");
	}
	files(out);
	see_also(out, "");
}
