/*
 * perf_clock.h - a process and all that it starts, counted by the kernel: CPU time and what goes with it.
 *
 * perf_event_open(2): software events with `inherit`.  What a process started before they were opened is
 * not counted, nor what a set-user-ID program does; all but the CPU time begin when it execs.  Each event costs every
 * fork of the job about 2.5 us, and that of faults each fault 55 ns: 2.5 % of a loop that maps, touches and unmaps.
 */
#ifndef RT_PERF_CLOCK_H
#define RT_PERF_CLOCK_H

#include <sys/types.h>

#include "sideband.h"

/*
 * The first two need no privilege where kernel.perf_event_paranoid is at most 2; page faults are then those in
 * user mode.  Migrations happen in kernel mode and can only be counted where it is at most 1, or by root.
 *
 * Page faults and context switches of the tree are told from the ledger, not from here: wait4 tells them exactly,
 * where perf misses those of each exit (5 or 6 switches on a busy machine).
 */
enum perf_count { PERF_CLOCK_NS, PERF_FAULTS, PERF_MIGRATIONS, PERF_COUNTS };

struct perf_clock {
	const struct sideband *rings;           /* NULL: none; they count the CPU time as well */
	int fd[PERF_COUNTS];                    /* -1: not open */
};

#define PERF_CLOCK_CLOSED ((struct perf_clock){ NULL, { -1, -1, -1 } })

/* All but the CPU time: page faults, or nothing.  -errno: ENOENT, EACCES and EPERM (refused), ENOSYS, EMFILE, ESRCH. */
int  perf_clock_open(struct perf_clock *ret, pid_t pid) must_use;
/*
 * Then the CPU time: that of rings of the same process, which were opened in between (sideband.h), or where there are
 * none its own.
 */
int  perf_clock_begin(struct perf_clock *p, pid_t pid, const struct sideband *rings) must_use;
/* Since they were opened.  Writes what is open, and nothing on failure. */
int  perf_clock_read(const struct perf_clock *p, uint64_t ret[PERF_COUNTS]) must_use;
void perf_clock_close(struct perf_clock *p);
/* The task clock of one thread, and of what it starts from now on: a descriptor, or -errno as above. */
int  perf_clock_open_thread(pid_t thread) must_use;

static inline bool perf_clock_has(const struct perf_clock *p, enum perf_count c)
{
	return p->fd[c] >= 0 || (c == PERF_CLOCK_NS && p->rings);
}

#endif
