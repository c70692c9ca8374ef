/*
 * chosen_runs.h - the flags --job, --name and --tag of every command that takes runs.
 *
 * They narrow the history: `last` is the last run of that name then.  Without a word they name all that are left.
 */
#ifndef RT_CHOSEN_RUNS_H
#define RT_CHOSEN_RUNS_H

#include "../history/selection.h"
#include "flags.h"

struct chosen_runs {                            /* zeroed at first */
	const char *job, *name;
	struct flag_texts tags;
	char **paths;                           /* in the place of words; released by chosen_runs_release */
	size_t n_paths;
};

/* In the table of flags.h. */
#define CHOSEN_RUNS_FLAGS(c) \
	{ "job", FLAG_TEXT, &(c)->job }, { "name", FLAG_TEXT, &(c)->name }, { "tag", FLAG_TEXTS, &(c)->tags }
#define CHOSEN_RUNS_USAGE \
	"--job ID, --name NAME and --tag KEY=VALUE narrow the history to the runs of a scheduler's job, with that name, with\n" \
	"that tag: 'last' is the last of them then, and without a RUN it is all of them. Each may hold * and ?.\n"

struct selection chosen_selection(const struct chosen_runs *c);
bool chosen_any(const struct chosen_runs *c);   /* one of the flags was given */

/*
 * Where they are looked for, as history_place() of the words; that of the history also where the flags name the runs.
 */
int  chosen_runs_place(char ret[PATH_MAX], const struct chosen_runs *c, const char *directory, char *const *names,
		       size_t n, struct why *why) must_use;

/*
 * For after confine(): puts paths into *names (n of them, NULL-terminated) where a flag was given: of each word its
 * run's, of no words those of all that are left, oldest first.  -ENOENT with a sentence if there are none.
 */
int  chosen_runs_find(struct chosen_runs *c, const char *place, char ***names, size_t *n, struct why *why) must_use;
void chosen_runs_release(struct chosen_runs *c);

#endif
