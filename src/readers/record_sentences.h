/* record_sentences.h - a list of sentences about a file, for people. */
#ifndef RT_RECORD_SENTENCES_H
#define RT_RECORD_SENTENCES_H

#include <stddef.h>

/* Zeroed initially.  more: number of those that were not kept, counted by the owner. */
struct record_sentences { char **at; size_t n, more; };

/* Adds a copy; drops it without memory. */
void record_sentence(struct record_sentences *to, const char *text);
void record_sentences_release(struct record_sentences *s);      /* s is not to be used any more */

#endif
