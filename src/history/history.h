/* history.h - the runs that a directory has records of, and how people name one of them. */
#ifndef RT_HISTORY_H
#define RT_HISTORY_H

#include <limits.h>

#include "past_run.h"

struct history {
	struct arena arena;
	struct past_run *runs;                  /* newest first */
	size_t n;
};

/*
 * Where `--record` of the command line, the variables and the config file put records; the default place if they say
 * nothing or name a file.
 */
int  history_directory(char *ret, size_t size, struct why *why) must_use;

/* A directory that is not there has no runs.  -errno with a sentence for one that may not be read. */
int  history_open(struct history *ret, const char *directory, struct why *why) must_use;
void history_close(struct history *h);

/*
 * The run that `name` means: "last", "last~2" (the third last), or the beginning of an id that no other run shares;
 * NULL with a sentence.
 */
const struct past_run *history_find(const struct history *h, const char *name, struct why *why);

/* Whether a name is a path rather than one of the above: "-", anything with a slash, or what is there in the
   working directory and is none of the above. */
bool names_a_path(const char *name);

/*
 * Where the runs with these names are looked for: in the directory given (NULL: none), else, if a name is no path or
 * names is NULL (all runs), in history_directory.  "" where no directory is needed.
 */
int  history_place(char ret[PATH_MAX], const char *given, char *const *names, size_t n, struct why *why) must_use;

/* The path of the file that `name` means, by both ways, in memory of the caller's.  NULL with a sentence. */
char *run_path(const char *name, const char *directory, struct why *why) must_use;

#endif
