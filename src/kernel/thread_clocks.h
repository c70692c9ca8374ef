/*
 * thread_clocks.h - CPU time of threads that already run, and of all that they start from now on.
 *
 * perf_event_open(2): one inherited task clock for each thread, without a ring.  A process is opened thread by thread,
 * because an event belongs to one thread, and a task that was forked before the opening has none.  No privilege is
 * needed if kernel.perf_event_paranoid is at most 2, for threads that the caller may trace (ptrace(2),
 * PTRACE_MODE_READ_REALCREDS).  A reading costs 0.2 to 0.5 us for each thread and 0.04 us for each task that it
 * started.
 */
#ifndef RT_THREAD_CLOCKS_H
#define RT_THREAD_CLOCKS_H

#include <sys/types.h>

#include "../core/base.h"
#include "../core/limits.h"

struct thread_clock { pid_t thread; int fd; };  /* fd: -1: not open */

struct thread_clocks {
	struct thread_clock *at;                /* room for THREAD_CLOCKS_MAX; NULL: closed */
	size_t n, opened, sure;                 /* those from `sure` on were found after the others were opened */
};

/*
 * CPU time since the opening.  A thread that was found later may have been started by one with a clock, and be in
 * `sure_ns` as well: the truth is between sure_ns and sure_ns + unsure_ns.
 */
struct thread_clocks_time { uint64_t sure_ns, unsure_ns; };

/* -ENOMEM.  thread_clocks_close releases it. */
int  thread_clocks_init(struct thread_clocks *c) must_use;
/* Adds a thread to be opened.  1: it is new; 0: it was added before; -E2BIG: there are THREAD_CLOCKS_MAX. */
int  thread_clocks_add(struct thread_clocks *c, pid_t thread) must_use;
/*
 * Opens the added threads, except those that have exited.  -errno: ENOENT, EACCES and EPERM (refused), ENOSYS, EMFILE;
 * open clocks stay open, and the next call begins with the thread that failed.
 */
int  thread_clocks_open(struct thread_clocks *c) must_use;
/* -errno: EIO and those of read(2). */
int  thread_clocks_read(const struct thread_clocks *c, struct thread_clocks_time *ret) must_use;
void thread_clocks_close(struct thread_clocks *c);

#endif
