/*
 * feed_program.h - a program that the user wants beside the run, with a feed as its stdin.
 *
 * It is no part of the job: a thread of ours other than the first starts it (walk_self in membership/walk.c), it has a
 * process group of its own, and adopts what its children leave.  It has our stderr for both its outputs, and nothing
 * else that is open; its environment is the command's, less the channels by which a command tells of its regions.
 */
#ifndef RT_FEED_PROGRAM_H
#define RT_FEED_PROGRAM_H

#include <stdatomic.h>

#include "child.h"

enum { FEED_WORDS_MAX = 64 };

struct feed_program {
	const char *line;                       /* as it was given */
	char *copy, *words[FEED_WORDS_MAX + 1];
	const struct inherited_signals *signals;
	_Atomic pid_t pid;                      /* 0: not started, or reaped */
};

/* Splits the line at blanks; it and the signals must outlive the program.  -ENOMEM, -E2BIG. */
int  feed_program_open(struct feed_program *p, const char *line, const struct inherited_signals *signals) must_use;
/* As output_options.open with the program as context: forks, and returns the descriptor that its stdin reads from. */
int  feed_program_start(void *context, struct why *why);
/*
 * Whether it has ended; it is reaped then, and so is its process group: what it started would come to us as if the
 * command had.  ret: "ended with exit status 3"; "" if that was 0.
 */
bool feed_program_ended(struct feed_program *p, struct why *ret);
void feed_program_ask_to_end(struct feed_program *p);   /* SIGTERM to its group; it is not waited for */
void feed_program_close(struct feed_program *p);        /* frees */

#endif
