/* answer.h - how a subcommand answers, and those of the analysis companion. */
#ifndef RT_ANSWER_H
#define RT_ANSWER_H

#include "../core/buffer.h"
#include "../core/why.h"

enum { OWN_FAILURE = 125 };

/* argv[0] is the subcommand's own word.  Return the exit status. */
#define ANALYSIS(word, takes, what) int word##_main(int argc, char **argv);
#include "../core/commands.def"

/* The subcommand that speaks: its sentences begin with "resource-tracker NAME: ".  The name is kept, not copied. */
void answer_as(const char *name);
/* One sentence on stderr. */
void remark(const char *sentence);
/* The same; returns OWN_FAILURE. */
int complain(const char *sentence);
/* All of it to stdout, and releases it; 0, or OWN_FAILURE where that cannot be done. */
int print(struct buffer *text);

#endif
