/* history.h - the runs with records in a directory, and the names for them. */
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
 * The folder of `--record` in the variables and the config file; the default folder if it is not set or names a file.
 * -errno with a sentence: an invalid setting, or no default folder (record/runs_directory.h); ret means nothing.
 */
int  history_directory(char *ret, size_t size, struct why *why) must_use;

/* A missing directory has no runs.  -errno with a sentence for one that cannot be read. */
int  history_open(struct history *ret, const char *directory, struct why *why) must_use;
void history_close(struct history *h);

/*
 * The run of this name: "last", "last~2" (the third last), or a unique prefix of an id.  It belongs to the history.
 * NULL with a sentence: there is none, or there are several.
 */
const struct past_run *history_find(const struct history *h, const char *name, struct why *why);

/*
 * Whether a name is a path rather than one of the above: "-", any name with a slash, or an existing file in the
 * working directory that is none of the above.
 */
bool names_a_path(const char *name);

/*
 * The folder in which to search for these names: the one given (NULL: none), else, if a name is not a path or names
 * is NULL (all runs), history_directory.  "" if no folder is needed.  -errno with a sentence, and ret means nothing:
 * the one given is not there, or as history_directory.
 */
int  history_place(char ret[PATH_MAX], const char *given, char *const *names, size_t n, struct why *why) must_use;

/*
 * The path of the file that `name` refers to, as a path, which is not opened, or by the history of the directory; the
 * caller frees it.  NULL with a sentence.
 */
char *run_path(const char *name, const char *directory, struct why *why) must_use;

#endif
