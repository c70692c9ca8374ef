/* answer.h - the output of subcommands, and the list of those of the analysis companion. */
#ifndef RT_ANSWER_H
#define RT_ANSWER_H

#include "../core/buffer.h"
#include "../core/why.h"

enum { OWN_FAILURE = 125 };

/* argv[0] is the name of the subcommand.  Return the exit status. */
#define ANALYSIS(word, takes, what) int word##_main(int argc, char **argv);
#include "../core/commands.def"

/* Sets the subcommand's name: its sentences begin with "resource-tracker NAME: ".  The name is kept, not copied. */
void answer_as(const char *name);
/* Prints one sentence on stderr. */
void remark(const char *sentence);
/* The same; returns OWN_FAILURE. */
int complain(const char *sentence);
/* Writes the whole text to stdout, and releases it; returns 0, or OWN_FAILURE, said on stderr, if it failed. */
int print(struct buffer *text);

#endif
