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
#ifndef RT_TREE_ATTACHED_H
#define RT_TREE_ATTACHED_H

#include "../core/base.h"

struct tree;

/*
 * Opens t->cpu.threads, once the roots are known, with fewer descriptors for members' files then; t->cpu.blind: some
 * thread may be without.  -errno: as thread_clocks_open, and E2BIG (more than THREAD_CLOCKS_MAX threads), EMFILE (more
 * than the limit of descriptors has room for), ENOMEM, ENOENT: it has no lists of children, or other numbers of
 * processes than ours, or is our own process: what that forks would have the events too.  Nothing is open then.
 */
int attached_open(struct tree *t) must_use;

#endif
