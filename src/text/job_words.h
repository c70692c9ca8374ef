/* job_words.h - the job of a scheduler in a few words. */
#ifndef RT_JOB_WORDS_H
#define RT_JOB_WORDS_H

#include "../core/buffer.h"
#include "../core/job.h"

/* Appends "slurm 1235, task 7 of array 1230, step 0, rank 3 of 8, node n2"; of what is not known nothing. */
void job_words(struct buffer *out, const struct job *job);
/* Appends what it is called in a list: "1230_7 rank 3". */
void job_short_words(struct buffer *out, const struct job *job);

#endif
