/* roots.h - the processes that the recorder is attached to, and which of them have ended. */
#ifndef RT_ROOTS_H
#define RT_ROOTS_H

#include <sys/types.h>

#include "../core/sample.h"

struct roots {
	const pid_t *pids;
	size_t n, alive;
	int    fd[ROOT_MAX];                    /* pidfds, readable at the end; -1: ended, or no pidfd */
	bool   polled;                          /* at least one has no pidfd: call roots_poll at each sample */
};

/* Counts the processes that exist, of at most ROOT_MAX.  `pids` must outlive `r`. */
void roots_open(struct roots *r, const pid_t *pids, size_t n);
void roots_close(struct roots *r);
void roots_ended(struct roots *r, size_t i);            /* fd[i] is readable: closes it, counts one less */
void roots_poll(struct roots *r);                       /* sets `alive` to 0 if no process exists any more */

#endif
