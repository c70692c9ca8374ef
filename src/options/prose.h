/* prose.h - texts of --help and of the man page that are not about a single option. */
#ifndef RT_PROSE_H
#define RT_PROSE_H

struct prose { const char *title, *text; };
struct example { const char *command, *what; };
struct term { const char *word, *takes, *what; };       /* takes: its arguments; "": none */

extern const char prose_summary[];                      /* one line */
extern const struct example prose_usage[];              /* arguments, description; terminated by NULL */
extern const struct prose prose_topics[];               /* of `help TOPIC`; terminated by NULL.  text: what it is on */
extern const struct term prose_collectors[];            /* terminated by NULL, as are the others */
extern const struct term prose_subcommands[];
extern const struct term prose_files[];
extern const char prose_first_words[];                  /* below the subcommands */
extern const char prose_output[], prose_exit[], prose_command_exit[], prose_variables[], prose_config[];
extern const struct example prose_examples[];
extern const char prose_config_example[];

#endif
