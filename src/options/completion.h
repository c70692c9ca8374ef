/* completion.h - shared by the completions of all shells; all append.  For completion_*.c alone. */
#ifndef RT_COMPLETION_H
#define RT_COMPLETION_H

#include "option_table.h"

void completion_bash(struct buffer *out);
void completion_zsh(struct buffer *out);
void completion_fish(struct buffer *out);

static inline bool takes_value(const struct option_info *o)
{
	return o->argument != NULL;
}

void completion_names(struct buffer *out, const struct option_info *o, const char *between);    /* -i --interval */
void completion_choices(struct buffer *out, const struct option_info *o, const char *between);
void completion_subcommands(struct buffer *out);
void completion_subcommands_between(struct buffer *out, const char *between);
/* A script for sh that writes the words of a subcommand, to be put between single quotes (completion_words.c). */
void completion_words(struct buffer *out);
/* The help up to its first full stop or colon; an apostrophe is escaped as the shell requires. */
void completion_help(struct buffer *out, const struct option_info *o, const char *apostrophe);

#endif
