/*
 * notices.h - sentences for people about what is missing from a measurement, each once, in the order they came.
 *
 * What measures adds them, and its owner passes them on.  At most NOTICES_KEPT are kept; later ones are dropped.
 */
#ifndef RT_NOTICES_H
#define RT_NOTICES_H

#include <sys/types.h>

#include "why.h"

enum { NOTICES_KEPT = 8 };

struct notices {
	struct why sentence[NOTICES_KEPT];
	size_t n, passed;                       /* passed: so many went to the owner */
};

/* *added, kept with the cause, is set: nothing is added a second time. */
void notices_add(struct notices *n, bool *added, const char *format, ...) printf_like(3, 4);
/* `what` of this process, which is another user's, may not be read. */
void notices_add_denied(struct notices *n, bool *added, const char *what, pid_t pid, const char *name);
/* The next one that was not passed on, or NULL. */
const char *notices_next(struct notices *n);

#endif
