/*
 * sideband.h - forks, names and ends of the processes of a command, told by the kernel as they happen.
 *
 * The task and comm records of dummy perf events, one for each CPU, each with its ring (perf_event_open(2)).
 *
 * Of CPUs, where they may be opened (CAP_PERFMON, or kernel.perf_event_paranoid at most 0): the whole machine is told,
 * and the job inherits nothing.  They cost every fork of the machine 0.4 us with its exit, 1 us with exec, and the
 * reader 25 ns for each record of others.  So only SIDEBAND_WIDE_RECORDERS_MAX recorders of a network namespace have
 * them at a time (seat.h): from more of them a fork would lose more than by what it inherits from one.  A CPU takes
 * 45 us to open and 20 us to close, an interrupt each, and 68 KiB: at most 128 keep the command waiting for 6 ms.
 *
 * Else of the command, inherited by all its descendants, which needs no privilege.  Only an event for one CPU can be
 * both inherited and mapped, and each costs every fork of the job 1 to 2 us: for at most 16 CPUs.
 *
 * Times are CLOCK_MONOTONIC; pids are those of our PID namespace.
 */
#ifndef RT_SIDEBAND_H
#define RT_SIDEBAND_H

#include "../core/why.h"
#include "sideband_parse.h"

enum { SIDEBAND_CPUS_MAX = 128, SIDEBAND_INHERITED_CPUS_MAX = 16, SIDEBAND_WIDE_RECORDERS_MAX = 8 };

struct sideband;

/*
 * For a process that has no descendants yet and is to exec: from then on it is told, its new name first; with events
 * of CPUs, among all others, of which those of other PID namespaces have no numbers (0 or -1).  cpus: the
 * numbers of those that are online.  signal: a real-time one that this process blocks and is sent when a ring is half
 * full; 0: none.  (Whoever polls a ring is woken by each end of a task as well, perf_event_exit_event() in
 * kernel/events/core.c: 7 us of the job's time and 6 of ours.)  -errno with a reason: perf is refused or missing, too
 * many CPUs, or no memory may be locked for rings.
 */
int  sideband_open(struct sideband **ret, pid_t pid, const int *cpus, size_t n_cpus, int signal,
		   struct why *why) must_use;
void sideband_close(struct sideband *s);        /* NULL is fine */
bool sideband_is_wide(const struct sideband *s);        /* it tells of all processes of the machine */

/*
 * sideband_begin fixes an instant, and sideband_next gives all that was written before it, once, in the order of
 * time; false: that was all.  No record comes before one that made it possible: a process's end not before its fork.
 * A LOST without a number says that a ring was found full, on a kernel that does not count, or not understood.
 */
void sideband_begin(struct sideband *s);
bool sideband_next(struct sideband *s, struct sideband_record *ret);

#endif
