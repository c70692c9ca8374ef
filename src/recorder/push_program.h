/*
 * push_program.h - the companion that uses the network: it sends a run while it goes on (--push), as a program that
 * reads a feed, or uploads its record (--upload), as one that waits until its stdin ends.
 */
#ifndef RT_PUSH_PROGRAM_H
#define RT_PUSH_PROGRAM_H

#include "../options/options.h"
#include "feed_program.h"

/* `o` and `signals` must outlive the program.  -ENOENT with a sentence: it is not installed; -ENOMEM. */
int push_program_open(struct feed_program *p, const struct options *o, const struct inherited_signals *signals,
		      struct why *why) must_use;
/* The same for --upload; record: the path of the record. */
int upload_program_open(struct feed_program *p, const struct options *o, const char *record,
			const struct inherited_signals *signals, struct why *why) must_use;

#endif
