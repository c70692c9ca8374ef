/* commands.h - what the analysis companion can be asked for, and how it answers. */
#ifndef RT_COMMANDS_H
#define RT_COMMANDS_H

#include "../core/buffer.h"
#include "../core/why.h"

enum { OWN_FAILURE = 125 };

/* argv[0] is the subcommand's own word.  Return the exit status. */
int runs_main(int argc, char **argv);
int summary_main(int argc, char **argv);
int compare_main(int argc, char **argv);
int report_main(int argc, char **argv);
int recommend_main(int argc, char **argv);
int export_main(int argc, char **argv);

/* The subcommand that speaks: its sentences begin with "resource-tracker NAME: ".  The name is kept, not copied. */
void answer_as(const char *name);
/* One sentence on stderr. */
void remark(const char *sentence);
/* The same; returns OWN_FAILURE. */
int complain(const char *sentence);
/* All of it to stdout, and releases it; 0, or OWN_FAILURE where that cannot be done. */
int print(struct buffer *text);

#endif
