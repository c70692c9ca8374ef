/*
 * hooks.h - programs of --on-end and --on-limit: each is started with the run's facts as its stdin, and left alone.
 *
 * A thread of its own starts such a program, waits for it and reaps it, so the recorder waits for none, and none is a
 * part of the job (feed_program.h).  What goes wrong with one becomes a sentence; the run and its exit status are as
 * without it.
 */
#ifndef RT_HOOKS_H
#define RT_HOOKS_H

#include "../core/buffer.h"
#include "../options/threshold.h"
#include "child.h"

struct hook_call;

struct hooks {
	const struct inherited_signals *signals;
	struct hook_call *call[HOOKS_MAX];      /* those that run, or are over and not reported; NULL: free */
};

/* Starts a program: line is the program and its arguments.  Takes the facts.  -errno with a sentence. */
int  hooks_call(struct hooks *h, const char *name, const char *line, struct buffer *facts, struct why *why) must_use;
/* The next program that ended badly, each returned once; false: none. */
bool hooks_trouble(struct hooks *h, struct why *ret);
/* Waits at most `seconds` until all have ended.  The number of those that go on, without the recorder. */
size_t hooks_wait(struct hooks *h, double seconds);
/* Frees the calls; what others go on with is freed at their end. */
void hooks_close(struct hooks *h);

#endif
