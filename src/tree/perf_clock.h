/*
 * perf_clock.h - a process and all that it starts, counted by the kernel: CPU time and page faults.
 *
 * perf_event_open(2): software events with `inherit`, which need no privilege where
 * kernel.perf_event_paranoid is at most 2.  What a process started before they were opened is not
 * counted, nor what a setuid program does.
 */
#ifndef RT_TREE_PERF_CLOCK_H
#define RT_TREE_PERF_CLOCK_H

#include <sys/types.h>

#include "../core/base.h"

struct perf_clock { int clock, faults; };       /* descriptors */

/* -errno: ENOENT, EACCES and EPERM (refused), ENOSYS, EMFILE, ESRCH. */
int  perf_clock_open(struct perf_clock *ret, pid_t pid) must_use;
int  perf_clock_read(const struct perf_clock *p, uint64_t *ret_ns, uint64_t *ret_faults) must_use;
void perf_clock_close(struct perf_clock *p);

#endif
