/* roots.h - the processes that we are attached to: which of them have ended. */
#ifndef RT_ROOTS_H
#define RT_ROOTS_H

#include <sys/types.h>

#include "../core/sample.h"

struct roots {
	const pid_t *pids;
	size_t n, alive;
	int    fd[ROOT_MAX];                    /* pidfds, readable when one has ended; -1: has, or none is to be had */
	bool   polled;                          /* some cannot be: roots_poll is to be called now and then */
};

/* Those that are gone already are not alive.  `pids` must outlive it. */
void roots_open(struct roots *r, const pid_t *pids, size_t n);
void roots_close(struct roots *r);
void roots_ended(struct roots *r, size_t i);            /* one whose descriptor is readable */
void roots_poll(struct roots *r);                       /* with none left, alive is 0 */

#endif
