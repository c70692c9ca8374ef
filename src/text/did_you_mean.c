/* did_you_mean.c - guesses the word that a user meant. */
#include "did_you_mean.h"

#include <string.h>

enum { LETTERS_MAX = 64 };

size_t edit_distance(const char *a, const char *b)
{
	/* Optimal string alignment; transpositions need three rows. */
	size_t rows[3][LETTERS_MAX + 1];
	size_t *before = rows[0], *last = rows[1], *now = rows[2];
	size_t n = strlen(a), m = strlen(b);

	if (n > LETTERS_MAX || m > LETTERS_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= m; j++)
		before[j] = last[j] = j;
	for (size_t i = 1; i <= n; i++) {
		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);

			best = size_min(best, size_min(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = size_min(best, before[j - 2] + 1);
			now[j] = best;
		}

		size_t *oldest = before;

		before = last;
		last = now;
		now = oldest;
	}
	return last[m];
}

void guess_consider(struct guess *g, const char *candidate)
{
	size_t letters = strlen(g->word);
	size_t distance = edit_distance(g->word, candidate);

	/* A prefix of a name is an abbreviation: as good as one wrong letter. */
	if (letters >= 2 && strncmp(candidate, g->word, letters) == 0)
		distance = size_min(distance, 1);
	if (distance <= (letters + 1) / 3 && distance < letters && (!g->best || distance < g->distance)) {
		g->best = candidate;
		g->distance = distance;
	}
}
