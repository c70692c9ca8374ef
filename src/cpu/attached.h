/*
 * attached.h - task clocks of all threads of a tree that already runs.
 *
 * All threads are listed, then their clocks are opened (kernel/thread_clocks.h), then the lists are read again.  A
 * clock also counts what its thread starts after the clock is open.  So a process is settled once all threads of one
 * list have clocks: everything that it starts from then on has one.  Threads that are missing in the first lists were
 * started meanwhile, by a thread with a clock or by one without.  Their own clocks are opened too, and count for the
 * upper bound only.  Lists are read again for processes with new threads, four times at most.  If there still are new
 * threads, as in a process that starts threads all the time, what the clocks miss has no bound.
 *
 * Later members need no clock of their own, because membership is by descent.  A member without a clock was not started
 * by the tree, or executed a set-user-ID program, at which the kernel ends its clocks (begin_new_exec in fs/exec.c).
 * This shows when reading its I/O is no longer allowed, or when the ledger has more than perf can have missed.
 */
#ifndef RT_ATTACHED_H
#define RT_ATTACHED_H

#include "../core/source.h"
#include "../kernel/thread_clocks.h"

/* The tree, and the means to read it. */
struct attached {
	const struct source *src;
	struct text *list;                      /* scratch for a file */
	const pid_t *roots;
	size_t n_roots;
	pid_t  self;                            /* our process, which is not in the tree */
};

/*
 * *ret_all_found: false: some thread may have no clock.  -errno: as thread_clocks_open, and E2BIG (more than
 * THREAD_CLOCKS_MAX threads), EMFILE (more than half of the limit of descriptors), ENOMEM, ENOENT: a root is our own
 * process, and its children would inherit the events.  After success the caller closes *ret (thread_clocks_close).
 */
int attached_open(struct thread_clocks *ret, bool *ret_all_found, const struct attached *what) must_use;

#endif
