/* job_words.h - short descriptions of a scheduler's job. */
#ifndef RT_JOB_WORDS_H
#define RT_JOB_WORDS_H

#include "../core/buffer.h"
#include "../core/job.h"

/* Appends "slurm 1235, task 7 of array 1230, step 0, rank 3 of 8, node n2"; unknown parts are left out. */
void job_words(struct buffer *out, const struct job *job);
/* Appends the short form for lists: "1230_7 rank 3". */
void job_short_words(struct buffer *out, const struct job *job);

#endif
