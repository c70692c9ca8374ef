/*
 * sideband.h - forks, names and ends of the processes of a command, and the CPU time of each, as the kernel records
 * them.
 *
 * The task and comm records of dummy events, one for each CPU, each with its ring (perf_event_open(2)).  They are
 * events of the command, inherited by all its descendants, which needs no privilege.  Only an event for one CPU can be
 * both inherited and mapped, and each costs every fork of the job 1 to 2 us.
 *
 * CPU time is that of one task clock for all CPUs with `inherit_stat`: the kernel keeps the counts of tasks apart, and
 * each task that ends writes its own, after the record of its end, into a ring that only these records go into.  They
 * must not go into the rings of CPUs: a task may end on another CPU, and nothing keeps its writing from what the CPU
 * of the ring writes.  Such a ring stood still within some thousand forks, and reported no loss.
 *
 * One task of the whole tree has no such record: the one that has the clock which we opened when it ends; the kernel
 * hands it from task to task when it switches between them (perf_event_context_sched_out() in kernel/events/core.c).
 * What a task uses after its events have ended, taking down its memory, is in none.
 *
 * At such a switch it swaps counts in the order of both lists of events (perf_event_sync_stat()), and a fork copies
 * those for all CPUs first.  So the clock is opened after other counts of the same process, and before the events of
 * CPUs.
 *
 * Times are CLOCK_MONOTONIC; pids are those of our PID namespace.
 */
#ifndef RT_SIDEBAND_H
#define RT_SIDEBAND_H

#include "../core/why.h"
#include "sideband_parse.h"

struct sideband;

/*
 * For a process that has no descendants yet and is to exec: from then on it is told, its new name first.  cpus: the
 * numbers of those that it may use.  signal: a real-time one that this process blocks and is sent when a ring is half
 * full; 0: none.  (Whoever polls a ring is woken by each end of a task as well, perf_event_exit_event() in
 * kernel/events/core.c: 7 us of the job's time and 6 of ours.)  -errno with a reason: perf is refused or missing, or no
 * memory may be locked for rings.
 */
int  sideband_open(struct sideband **ret, pid_t pid, const int *cpus, size_t n_cpus, int signal,
		   struct why *why) must_use;
void sideband_close(struct sideband *s);        /* NULL is fine */

/* Of all tasks since the exec.  -errno: EIO and those of read(2). */
int  sideband_cpu_time(const struct sideband *s, uint64_t *ret_ns) must_use;

/*
 * sideband_begin fixes an instant, and sideband_next gives all that was written before it, once, in the order of
 * time; false: that was all.  No record comes before one that made it possible: a process's end not before its fork.
 * A LOST without a number says that a ring was found full, on a kernel that does not count, or not understood.
 */
void sideband_begin(struct sideband *s);
bool sideband_next(struct sideband *s, struct sideband_record *ret);

#endif
