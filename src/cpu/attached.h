/*
 * attached.h - task clocks of all threads of a tree that runs already.
 *
 * All threads are listed, then their clocks are opened (kernel/thread_clocks.h), then the lists are read again.  What
 * a thread starts after its clock is open is counted with it.  So a process needs no further look once all its threads
 * of one list have clocks: what it starts from then on has one.  What the first lists do not have was started while
 * they were read, by a thread with a clock or by one without: its own clock is opened too, and counts for the upper
 * bound only.  Lists are read again for processes with threads that are new, four times at most: if there still are
 * some, as in a process that starts threads all the time, what the clocks miss has no bound.
 *
 * Later members need no clock of their own: membership is by descent, so one whose clocks are missing was started by
 * nobody of the tree, or executed a set-user-ID program, at which the kernel ends them (begin_new_exec in fs/exec.c).
 * This shows where its I/O may not be read any more, or in the ledger once that has more than perf can have missed.
 */
#ifndef RT_ATTACHED_H
#define RT_ATTACHED_H

#include "../core/source.h"
#include "../kernel/thread_clocks.h"

/* What runs, and what is used to read of it. */
struct attached {
	const struct source *src;
	struct text *list;                      /* room to read a file into */
	const pid_t *roots;
	size_t n_roots;
	pid_t  self;                            /* our process, which is none of it */
};

/*
 * *ret_all_found: false: some thread may be without a clock.  -errno: as thread_clocks_open, and E2BIG (more than
 * THREAD_CLOCKS_MAX threads), EMFILE (more than half of the limit of descriptors), ENOMEM, ENOENT: a root is our own
 * process, and what that forks would have the events too.  Nothing is open then.
 */
int attached_open(struct thread_clocks *ret, bool *ret_all_found, const struct attached *what) must_use;

#endif
