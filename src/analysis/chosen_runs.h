/*
 * chosen_runs.h - the flags --job, --name and --tag of every command that takes runs.
 *
 * They restrict the history: `last` is the last of the remaining runs.  Without a word all remaining runs are meant.
 */
#ifndef RT_CHOSEN_RUNS_H
#define RT_CHOSEN_RUNS_H

#include "../history/selection.h"
#include "flags.h"

struct chosen_runs {                            /* zeroed initially */
	const char *job, *name;
	struct flag_texts tags;
	char **paths;                           /* replace the words; released by chosen_runs_release */
	size_t n_paths;
};

/* Rows for the table of flags.h. */
#define CHOSEN_RUNS_FLAGS(c) \
	{ "job", FLAG_TEXT, &(c)->job }, { "name", FLAG_TEXT, &(c)->name }, { "tag", FLAG_TEXTS, &(c)->tags }
#define CHOSEN_RUNS_USAGE \
	"--job ID, --name NAME and --tag KEY=VALUE select runs of the history: those of a scheduler's job, with that name,\n" \
	"with that tag. 'last' is then the last of these; without a RUN, all of them are taken. Each can contain * and ?.\n"

struct selection chosen_selection(const struct chosen_runs *c); /* valid as long as *c */
bool chosen_any(const struct chosen_runs *c);   /* whether one of the flags was given */

/* The folder to search, as history_place() of the words; also that of the history if the flags select the runs. */
int  chosen_runs_place(char ret[PATH_MAX], const struct chosen_runs *c, const char *directory, char *const *names,
		       size_t n, struct why *why) must_use;

/*
 * To be called after confine(): if a flag was given, *names (n of them, NULL-terminated) becomes paths: one for each
 * word; without words those of all remaining runs, oldest first.  They belong to c, which is released after an error
 * too.  place: as chosen_runs_place.  -errno with a sentence; -ENOENT: there are none.
 */
int  chosen_runs_find(struct chosen_runs *c, const char *place, char ***names, size_t *n, struct why *why) must_use;
/*
 * The record of the newest of them that goes on; the caller frees it.  NULL with a sentence: there is none, and the
 * hint what to do.
 */
char *chosen_runs_running(const struct chosen_runs *c, const char *place, const char *hint, struct why *why);
void chosen_runs_release(struct chosen_runs *c);

#endif
