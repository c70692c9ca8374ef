/* push_program.h - the companion that sends a run while it goes on (--push): a program that reads a feed. */
#ifndef RT_PUSH_PROGRAM_H
#define RT_PUSH_PROGRAM_H

#include "../options/options.h"
#include "feed_program.h"

/* `o` and `signals` must outlive the program.  -ENOENT with a sentence: it is not installed; -ENOMEM. */
int push_program_open(struct feed_program *p, const struct options *o, const struct inherited_signals *signals,
		      struct why *why) must_use;

#endif
