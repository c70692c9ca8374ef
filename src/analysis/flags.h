/*
 * flags.h - the flags of a subcommand, from a table.
 *
 *     const char *job = NULL; bool json = false;
 *     const struct flag flags[] = { { "job", FLAG_TEXT, &job }, { "json", FLAG_SWITCH, &json } };
 *
 * A flag with a name of one letter is written with one dash.  Flags and words can come in any order; "--" ends the
 * flags; "-" alone is a word.
 */
#ifndef RT_FLAGS_H
#define RT_FLAGS_H

#include "../core/why.h"

enum flag_kind { FLAG_SWITCH, FLAG_TEXT, FLAG_TEXTS };

struct flag_texts { const char *at[32]; size_t n; };            /* values of a flag that can be repeated 32 times */

struct flag {
	const char *name;
	enum flag_kind kind;
	void *to;                               /* bool, const char *, struct flag_texts: unchanged without the flag */
};

/*
 * Leaves argv[0] and the words in argv, NULL-terminated, and sets *argc to their number.  Texts are pieces of argv.
 * -EINVAL with a sentence; then argv is in disorder.
 */
int flags_read(const struct flag *flags, size_t n, int *argc, char **argv, struct why *why) must_use;

#endif
