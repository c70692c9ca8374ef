/*
 * sideband.h - forks, names and ends of the processes of a command, and the CPU time of each, as the kernel records
 * them.
 *
 * The task, comm and read records of task clocks, one for each CPU, each with its ring (perf_event_open(2)).  They are
 * events of the command, inherited by all its descendants, which needs no privilege.  Only an event for one CPU can be
 * both inherited and mapped, and each costs every fork of the job 1 to 2 us.
 *
 * They come after events of the same process for all CPUs: when the kernel switches between two of its tasks it swaps
 * their counts in the order of their lists of events (perf_event_sync_stat()), and a fork copies those for all CPUs
 * first.  In another order counts of one kind would go to events of another.
 *
 * `inherit_stat` makes the kernel keep the counts of tasks apart, and write a task's when it ends: one record for each
 * CPU, after that of its end.  One task of the whole tree has none: the one that has the events which we opened when it
 * ends; the kernel hands them from task to task when it switches between them (perf_event_context_sched_out() in
 * kernel/events/core.c).  What a task uses after its events have ended, taking down its memory, is in none.
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

/* As many as a task has CPU times: one for each CPU. */
size_t sideband_rings(const struct sideband *s);
/* Of all tasks since they were opened.  -errno: EIO and those of read(2). */
int  sideband_cpu_time(const struct sideband *s, uint64_t *ret_ns) must_use;

/*
 * sideband_begin fixes an instant, and sideband_next gives all that was written before it, once, in the order of
 * time; false: that was all.  No record comes before one that made it possible: a process's end not before its fork.
 * A LOST without a number says that a ring was found full, on a kernel that does not count, or not understood.
 */
void sideband_begin(struct sideband *s);
bool sideband_next(struct sideband *s, struct sideband_record *ret);

#endif
