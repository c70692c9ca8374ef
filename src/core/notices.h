/*
 * notices.h - notices for the user about missing measurements, each once, in the order in which they came.
 *
 * Measuring code adds them, and its owner passes them on.  At most NOTICES_KEPT are taken in all; later
 * ones are dropped.  All zero: empty.
 */
#ifndef RT_NOTICES_H
#define RT_NOTICES_H

#include <sys/types.h>

#include "why.h"

enum { NOTICES_KEPT = 8 };

struct notices {
	struct why sentence[NOTICES_KEPT];
	size_t n, passed;                       /* passed: how many went to the owner */
};

/*
 * Sets *added, which is kept with the cause, so that no notice is added twice: it does nothing if it is set.  A dropped
 * notice leaves it unset.  The sentence is cut to the size of struct why.
 */
void notices_add(struct notices *n, bool *added, const char *format, ...) printf_like(3, 4);
/* Adds a notice: reading `what` of this process of another user is not allowed. */
void notices_add_denied(struct notices *n, bool *added, const char *what, pid_t pid, const char *name);
/* The next one that was not passed on, or NULL.  It belongs to *n, and stays. */
const char *notices_next(struct notices *n);

#endif
