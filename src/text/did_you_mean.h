/*
 * did_you_mean.h - guesses the word that a user meant.
 *
 *     struct guess g = { .word = "intervl" };
 *     for (...) guess_consider(&g, known[i]);
 *     if (g.best) ...
 */
#ifndef RT_DID_YOU_MEAN_H
#define RT_DID_YOU_MEAN_H

#include "../core/base.h"

struct guess {
	const char *word;
	const char *best;                       /* NULL: no known word is similar enough */
	size_t distance;                        /* of best */
};

void guess_consider(struct guess *g, const char *candidate);    /* kept as it is if it is the best, not copied */

/* The number of insertions, deletions, replacements and swaps of neighbours; SIZE_MAX for more than 64 letters. */
size_t edit_distance(const char *a, const char *b);

#endif
