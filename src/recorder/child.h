/*
 * child.h - starts the command as if it had been started without the recorder.
 *
 * The command gets the recorder's stdin, stdout, stderr, other descriptors, process group, terminal, working
 * directory and limits, and the signal mask and dispositions that the recorder was started with.  Its environment lacks
 * only the variables that name the recorder's own outputs, and has RECORD_VARIABLE in addition.
 */
#ifndef RT_CHILD_H
#define RT_CHILD_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "../core/why.h"

/* The environment variable with the path of the command's record. */
#define RECORD_VARIABLE "RESOURCE_TRACKER_RUN"

/* The signal mask and dispositions that the recorder was started with; the command gets them back. */
struct inherited_signals { uint64_t mask; struct sigaction child, pipe; };

/* Descriptors of the control group for the command: one of the two, or both -1 for none.  The caller owns them. */
struct child_group {
	int folder;                             /* version 2: the group's folder; the command is forked into it */
	int tasks;                              /* version 1: its file `tasks`; the child moves there before exec */
};

struct child {
	pid_t pid;
	int go, failed;                         /* an eventfd that starts it; a pipe with its errno if exec fails;
						   child_go and child_exec_error close them */
	bool in_cgroup;                         /* it is in the given group */
	bool alone;                             /* the recorder had no other child before */
};

/*
 * Forks.  The child waits for child_go, so the baseline can be taken while it exists and has done nothing; it exits
 * with status 125 if the recorder dies before.  It is in `group` if the kernel permits that (ret->in_cgroup).
 * -errno of fork, pipe or eventfd, with a sentence in `why`.
 */
int child_prepare(struct child *ret, char *const *argv, const struct inherited_signals *signals,
		  const char *const *private_variables, struct child_group group, struct why *why) must_use;

void child_go(struct child *c);                 /* lets it exec */

/*
 * Call it once, after the child's end: 0 if exec succeeded, -errno if it failed.  The recorder does not wait for exec
 * itself: the child can be stopped (^Z) before it, and the recorder has to stop as well.
 */
int child_exec_error(struct child *c) must_use;

/* Execs the command in this process, for when nothing can be recorded.  Returns only on failure: -errno of exec. */
int child_become(char *const *argv, const struct inherited_signals *signals, const char *const *private_variables);

int child_exec_status(int error);               /* exit status for this errno, above 0: 127 for ENOENT, else 126 */

#endif
