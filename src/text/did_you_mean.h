/*
 * did_you_mean.h - what somebody probably meant to write.
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
	const char *best;                       /* NULL: nothing known is near enough */
	size_t distance;                        /* of best */
};

void guess_consider(struct guess *g, const char *candidate);

/* Letters to insert, delete, replace or swap with their neighbour; SIZE_MAX for more than 64 letters. */
size_t edit_distance(const char *a, const char *b);

#endif
