/* arguments.h - the command line taken apart: which options were given, with what, and where the command begins. */
#ifndef RT_ARGUMENTS_H
#define RT_ARGUMENTS_H

#include "option_table.h"

enum options_outcome {
	OPTIONS_RUN,                            /* go on with the struct */
	OPTIONS_HELP, OPTIONS_VERSION,          /* print and leave with 0 */
	OPTIONS_ERROR,                          /* `why` has the sentence; leave with 125 */
};

struct given { const struct option_info *option; const char *value; };  /* value NULL: a bare switch */

struct arguments {
	struct given *given;                    /* in order; free() it */
	size_t n;
	char *const *command;                   /* NULL: none */
};

/*
 * OPTIONS_HELP or OPTIONS_VERSION as soon as it is asked for; OPTIONS_ERROR with a sentence.
 * Values are not looked at.  The first word that is no option, or what follows "--", is the command.
 */
enum options_outcome arguments_read(struct arguments *ret, int argc, char *const *argv, struct why *why);

#endif
