/* ranks_command.h - the part of subcommands that is about all ranks of a job. */
#ifndef RT_RANKS_COMMAND_H
#define RT_RANKS_COMMAND_H

#include "../ranks/ranks_view.h"
#include "../text/template.h"
#include "chosen_runs.h"

struct ranks_question {
	const struct chosen_runs *chosen;
	const char *directory;                  /* --directory; NULL: not given */
	char *const *words;                     /* at most one, a folder */
	size_t n_words;
	enum summary_form form;                 /* text or JSON */
};

/* Whether the one word is a folder. */
bool means_ranks(char *const *words, size_t n);

/* The folder of their records.  -EINVAL with a sentence: the question is none about ranks. */
int  ranks_place(char ret[PATH_MAX], const struct ranks_question *q, struct why *why) must_use;

/* The ranks of the folder; the caller closes *ret.  -errno with a sentence. */
int  ranks_find(struct ranks_view *ret, const struct ranks_question *q, const char *folder, struct why *why) must_use;

/* Refuses, with -EINVAL and a sentence, an output that is one of the records; NULL is stdout. */
int  ranks_check_output(const struct ranks *ranks, const char *output, struct why *why) must_use;

/* Prints the summary; returns the exit status. */
int ranks_summary(const struct ranks_question *q);

#endif
