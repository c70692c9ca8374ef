/* completion.c - shared by the completions of all shells. */
#include "completion.h"

#include <string.h>

#include "prose.h"

void completion_names(struct buffer *out, const struct option_info *o, const char *between)
{
	if (o->letter)
		buffer_format(out, "-%c%s", o->letter, between);
	buffer_format(out, "--%s", o->name);
}

void completion_choices(struct buffer *out, const struct option_info *o, const char *between)
{
	for (const char *const *c = o->type->choices; *c; c++) {
		buffer_text(out, c == o->type->choices ? "" : between);
		buffer_text(out, *c);
	}
}

void completion_subcommands_between(struct buffer *out, const char *between)
{
	for (const struct term *s = prose_subcommands; s->word; s++) {
		buffer_text(out, s == prose_subcommands ? "" : between);
		buffer_text(out, s->word);
	}
}

void completion_subcommands(struct buffer *out)
{
	completion_subcommands_between(out, " ");
}

void completion_help(struct buffer *out, const struct option_info *o, const char *apostrophe)
{
	for (const char *c = o->help; *c && !(strchr(".:", c[0]) && (c[1] == ' ' || !c[1])); c++)
		if (*c == '\'')
			buffer_text(out, apostrophe);
		else
			buffer_char(out, *c);
}
