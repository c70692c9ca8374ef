/*
 * feed_program.h - a program that the user runs beside the job, with a feed as its stdin.
 *
 * It is not a part of the job: a thread other than the first starts it (walk_self in membership/walk.c), it has a
 * process group of its own, and it is the subreaper of its descendants.  Its stdout and stderr are the recorder's
 * stderr, of one in the background /dev/null; it gets no other descriptors.  Its environment is the command's, without
 * the variables for regions.
 */
#ifndef RT_FEED_PROGRAM_H
#define RT_FEED_PROGRAM_H

#include <stdatomic.h>

#include "child.h"

enum { FEED_WORDS_MAX = 64 };

struct feed_program {
	const char *line;                       /* the option's value */
	char *copy, *words[FEED_WORDS_MAX + 1];
	struct inherited_signals signals;
	_Atomic pid_t pid;                      /* 0: not started, or reaped */
};

/*
 * Splits the line, which is not blank, at blanks.  `line` must outlive the program, and p must not move.
 * -ENOMEM; -E2BIG: more than FEED_WORDS_MAX words.
 */
int  feed_program_open(struct feed_program *p, const char *line, const struct inherited_signals *signals) must_use;
/*
 * For output_options.open, with the program as context: forks, and returns the write end of the pipe to its stdin,
 * which the output closes, or -errno with a sentence.  A failed exec shows as its exit status.
 */
int  feed_program_start(void *context, struct why *why);
/*
 * Whether it has ended.  If so, reaps it and kills the rest of its process group, which the recorder would otherwise
 * adopt like orphans of the command.  ret: "ended with exit status 3"; "" for status 0, before the end, and if it was
 * not started or was reaped, which count as ended.  Does not wait.
 */
bool feed_program_ended(struct feed_program *p, struct why *ret);
/* Waits for its end, then as feed_program_ended. */
void feed_program_wait(struct feed_program *p, struct why *ret);
/* Sends SIGTSTP, and waits until the program is stopped, at most `seconds`; SIGCONT. */
void feed_program_stop(struct feed_program *p, double seconds);
void feed_program_continue(struct feed_program *p);
void feed_program_ask_to_end(struct feed_program *p);   /* sends SIGTERM to its group, without waiting */
void feed_program_close(struct feed_program *p);        /* frees memory; does not end the program */

#endif
