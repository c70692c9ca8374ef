/*
 * hooks.h - programs of --on-end and --on-limit: each is started with the run's facts as its stdin, and left alone.
 *
 * A thread of its own starts such a program, waits for it and reaps it, so the recorder waits for none, and none is a
 * part of the job (feed_program.h).  What goes wrong with one becomes a sentence; the run and its exit status are as
 * without it.
 */
#ifndef RT_HOOKS_H
#define RT_HOOKS_H

#include <pthread.h>

#include "../core/buffer.h"
#include "../options/threshold.h"
#include "feed_program.h"

enum hook_state { HOOK_FREE, HOOK_RUNNING, HOOK_DONE };

struct hook_call {
	const char *name;                       /* "--on-end" */
	struct feed_program program;
	struct buffer facts;
	pthread_t thread;
	_Atomic int state;                      /* enum hook_state */
	struct why how;                         /* of HOOK_DONE: what went wrong; "": nothing */
};

struct hooks {
	const struct inherited_signals *signals;
	struct hook_call call[HOOKS_MAX];       /* those that run */
};

/* Starts a program: line is the program and its arguments.  Takes the facts.  -errno with a sentence. */
int  hooks_call(struct hooks *h, const char *name, const char *line, struct buffer *facts, struct why *why) must_use;
/* The next program that ended badly, each returned once; false: none. */
bool hooks_trouble(struct hooks *h, struct why *ret);
/* Waits at most `seconds` until all have ended.  The number of those that go on, without the recorder. */
size_t hooks_wait(struct hooks *h, double seconds);

#endif
