/* run_words.h - short descriptions of a run: for titles, and for file names. */
#ifndef RT_RUN_WORDS_H
#define RT_RUN_WORDS_H

#include "digest.h"

const char *run_id_words(const struct digest *d);               /* its id, else its file's name; belongs to d */
/* All append. */
void run_name_words(struct buffer *out, const struct digest *d);        /* the job's name, else the command */
void run_command_words(struct buffer *out, const struct run *run);      /* quoted for a shell, secrets masked, cut */
/* "exit 1 after 3.02s: the kernel killed it ..." */
void run_ending_words(struct buffer *out, const struct digest *d);
/* "succeeded", "failed", "ended", "running", "incomplete", "unknown" */
const char *run_outcome_word(const struct digest *d);

#endif
