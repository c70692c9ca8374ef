/*
 * sideband.h - forks, names and exits of the processes of a command, and the CPU time of each, as the kernel records
 * them.
 *
 * Dummy events, one for each CPU with a ring of its own, write the task and comm records (perf_event_open(2)).  They
 * are events of the command, inherited by all its descendants, which needs no privilege.  Only an event for one CPU can
 * be both inherited and mapped.  Each event costs every fork of the job 1 to 2 us.
 *
 * CPU time is that of one task clock for all CPUs with `inherit_stat`: the kernel keeps the counts of tasks apart.
 * Each task that exits writes its own count, after the record of its exit, into a ring for these records only.  They
 * must not go into the rings of CPUs: a task may exit on another CPU, and its write is not serialized with the writes
 * of the ring's CPU. Such a ring stopped within some thousand forks, and reported no loss.
 *
 * One task of the whole tree has no such record: the task that holds, at its exit, the clock that we opened.  The
 * kernel passes this clock from task to task when it switches between them (perf_event_context_sched_out() in
 * kernel/events/core.c).  No record has the time that a task uses after its events have ended, while its memory is
 * freed.
 *
 * At such a switch the kernel swaps counts in the order of both lists of events (perf_event_sync_stat()), and a fork
 * copies the events for all CPUs first.  So the clock is opened after other counters of the same process, and before
 * the events of CPUs.
 *
 * Times are CLOCK_MONOTONIC; pids are those of our PID namespace.
 */
#ifndef RT_SIDEBAND_H
#define RT_SIDEBAND_H

#include "../core/why.h"
#include "sideband_parse.h"

struct sideband;

/*
 * For a process that has no descendants yet and is going to exec: records begin at the exec, with its new name.  cpus:
 * the numbers of the CPUs that it may use.  signal: a real-time signal that this process blocks, sent to it when a ring
 * is half full; 0: none.  (A poll of a ring also wakes at each exit of a task, perf_event_exit_event() in
 * kernel/events/core.c: 7 us of the job's time and 6 of ours.)  -errno with a reason: perf is refused or missing, or no
 * memory can be locked for rings.
 */
int  sideband_open(struct sideband **ret, pid_t pid, const int *cpus, size_t n_cpus, int signal,
		   struct why *why) must_use;
void sideband_close(struct sideband *s);        /* NULL is fine */

/* Of all tasks since the exec, in ns.  -errno: EIO and those of read(2). */
int  sideband_cpu_time(const struct sideband *s, uint64_t *ret_ns) must_use;

/*
 * sideband_begin fixes an instant.  sideband_next returns all records from before it, each once, in the order of time;
 * false: there are no more, *ret means nothing, and the rings have room again.  Every record comes after those that it
 * depends on: a process's exit after its fork.  A LOST without a number: a ring was full, on a kernel that does not
 * count, or not understood.
 */
void sideband_begin(struct sideband *s);
bool sideband_next(struct sideband *s, struct sideband_record *ret);

#endif
