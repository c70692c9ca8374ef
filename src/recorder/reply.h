/* reply.h - what the recorder's own subcommands print. */
#ifndef RT_REPLY_H
#define RT_REPLY_H

#include "../core/buffer.h"

enum { OWN_FAILURE = 125 };

/* Prints all of the text to stdout, and releases it.  0; OWN_FAILURE after a sentence, for a full disk and the like. */
int reply_print(struct buffer *text);
/*
 * Prints the arguments of a subcommand, argv[0]: with --help to stdout, with lines of help below, else as an error.
 * Returns the exit status.
 */
int reply_usage(int argc, char **argv, const char *takes, const char *help);
bool reply_help_is_asked(int argc, char **argv);
unsigned reply_columns(void);                   /* of the terminal; 80 without one */

#endif
