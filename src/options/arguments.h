/* arguments.h - splits the command line: the options given, their values, and the start of the command. */
#ifndef RT_ARGUMENTS_H
#define RT_ARGUMENTS_H

#include "option_table.h"

enum options_outcome {
	OPTIONS_RUN,                            /* continue with the struct */
	OPTIONS_HELP, OPTIONS_VERSION,          /* print, and exit with 0 */
	OPTIONS_ERROR,                          /* `why` has the sentence; exit with 125 */
};

struct given { const struct option_info *option; const char *value; };  /* value NULL: a switch */

struct arguments {
	struct given *given;                    /* in order; freed by the caller, whatever arguments_read returned */
	size_t n;
	char *const *command;                   /* NULL: none */
};

/*
 * Returns OPTIONS_HELP or OPTIONS_VERSION as soon as it is requested; OPTIONS_ERROR with a sentence.
 * Values are not checked, and point into argv.  The first word that is not an option, or the one after "--", begins the
 * command.
 */
enum options_outcome arguments_read(struct arguments *ret, int argc, char *const *argv, struct why *why);

#endif
