/*
 * child.h - the command that we run, started so that it cannot tell the difference.
 *
 * It gets our stdin, stdout, stderr, other descriptors, process group, terminal, working directory,
 * limits, and the signal mask and dispositions that we were started with; its environment lacks only
 * the variables that name our own outputs, and says which record it is in.
 */
#ifndef RT_CHILD_H
#define RT_CHILD_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "../core/why.h"

/* Where the command is told the path of its record. */
#define RECORD_VARIABLE "RESOURCE_TRACKER_RUN"

/* What signals were like when we were started: the command gets them back. */
struct inherited_signals { uint64_t mask; struct sigaction child, pipe; };

/* The control group that the command shall live in: one of them, or both -1. */
struct child_group {
	int folder;                             /* version 2: it is born there */
	int tasks;                              /* version 1, its file `tasks`: it moves there first */
};

struct child {
	pid_t pid;
	int go, failed;                         /* an eventfd, our word to start; a pipe: its errno if exec fails */
	bool in_cgroup;                         /* it lives in the group that was given */
	bool alone;                             /* we had no child before it */
};

/*
 * Forks.  The child waits for child_go (or ends if we die before), so that the baseline can be
 * taken while it exists and has done nothing.  It lives in `group` if the kernel permits.  -errno of fork or pipe.
 */
int child_prepare(struct child *ret, char *const *argv, const struct inherited_signals *signals,
		  const char *const *private_variables, struct child_group group, struct why *why) must_use;

void child_go(struct child *c);                 /* lets it exec */

/*
 * For after its end: 0 if it was the command that ended, -errno if exec failed.  Nobody waits for exec:
 * the child may be stopped (^Z) before it, and we have to stop with it.
 */
int child_exec_error(struct child *c) must_use;

/* Becomes the command without being its parent, for when nothing can be recorded.  Returns -errno of exec. */
int child_become(char *const *argv, const struct inherited_signals *signals, const char *const *private_variables);

int child_exec_status(int error);               /* 127: not found, 126: cannot be executed */

#endif
