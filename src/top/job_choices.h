/* job_choices.h - which ranks the user wants to see, and how, changed by keys and clicks.  Pure. */
#ifndef RT_JOB_CHOICES_H
#define RT_JOB_CHOICES_H

#include "choices.h"
#include "job_view.h"

/*
 * layout: that of the screen the user sees.  Changes *c, and returns what the caller is to do; WISH_OPEN: to show the
 * rank of the file c->mark.
 */
enum wish job_choices_take(struct job_choices *c, const struct key *key, const struct job_ranks *j,
			   const struct layout *layout);

#endif
