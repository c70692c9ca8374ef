/* record_sentences.h - what was noticed while a file was read, kept for people. */
#ifndef RT_RECORD_SENTENCES_H
#define RT_RECORD_SENTENCES_H

#include <stddef.h>

struct record_sentences { char **at; size_t n, more; }; /* more: how many there was no room for */

/* Keeps a copy; one for which there is no memory is left out. */
void record_sentence(struct record_sentences *to, const char *text);
void record_sentences_release(struct record_sentences *s);

#endif
