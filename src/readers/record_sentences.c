/* record_sentences.c - a list of sentences about a file, for people. */
#include "record_sentences.h"

#include <stdlib.h>
#include <string.h>

void record_sentence(struct record_sentences *to, const char *text)
{
	char **at = realloc(to->at, (to->n + 1) * sizeof *at);
	char *copy = at ? strdup(text) : NULL;

	if (at)
		to->at = at;
	if (copy)
		to->at[to->n++] = copy;
}

void record_sentences_release(struct record_sentences *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->at[i]);
	free(s->at);
}
