/* asked_program.h - runs one of our other programs for what it prints, and waits for it. */
#ifndef RT_ASKED_PROGRAM_H
#define RT_ASKED_PROGRAM_H

#include "../core/buffer.h"
#include "../core/why.h"

struct asked_program {
	const char *name;                       /* as companion_path takes it */
	const char *const *words;               /* its arguments, NULL-terminated */
	const char *prefix;                     /* with which its own error messages begin */
	int  fine;                              /* an exit status besides 0 that is no failure; 0: none */
	bool own_group;                         /* signals of the terminal do not reach it */
};

/*
 * Appends what it prints on stdout and stderr.  Waits for the program, and ends it after `seconds`.  The calling thread
 * is its parent.  -errno with a sentence, which is the program's own if it failed; no text then.
 */
int asked_program_read(struct buffer *out, const struct asked_program *p, double seconds, struct why *why) must_use;

#endif
