/*
 * perf_clock.h - the kernel's counters of a process and of all that it starts: CPU time, page faults, migrations.
 *
 * perf_event_open(2): software events with `inherit`.  They do not count processes that were started before they were
 * opened, nor set-user-ID programs.  All but the CPU time begin at exec.  Each event costs every fork of the job about
 * 2.5 us, and that of faults costs each fault 55 ns: 2.5 % of a loop that maps, touches and unmaps.
 */
#ifndef RT_PERF_CLOCK_H
#define RT_PERF_CLOCK_H

#include <sys/types.h>

#include "sideband.h"

/*
 * The first two need no privilege if kernel.perf_event_paranoid is at most 2; page faults are then those in user mode.
 * Migrations happen in kernel mode: they need at most 1, or root.
 *
 * Page faults and context switches of the tree are taken from the ledger, not from here: wait4 returns them exactly,
 * and perf misses those of each exit (5 or 6 switches on a busy machine).
 */
enum perf_count { PERF_CLOCK_NS, PERF_FAULTS, PERF_MIGRATIONS, PERF_COUNTS };

struct perf_clock {
	const struct sideband *rings;           /* NULL: none; else they count the CPU time */
	int fd[PERF_COUNTS];                    /* -1: not open */
};

#define PERF_CLOCK_CLOSED ((struct perf_clock){ NULL, { -1, -1, -1 } })

/* Opens page faults, and migrations if allowed.  -errno: ENOENT, EACCES and EPERM (refused), ENOSYS, EMFILE, ESRCH. */
int  perf_clock_open(struct perf_clock *ret, pid_t pid) must_use;
/*
 * Then the CPU time: from rings of the same process that were opened in between (sideband.h), or without rings from an
 * event of its own.  The rings must outlive `p`.  -errno as above; then all counters are closed.
 */
int  perf_clock_begin(struct perf_clock *p, pid_t pid, const struct sideband *rings) must_use;
/* Counts since the opening; 0 for counters that are not open.  -errno: EIO and those of read(2). */
int  perf_clock_read(const struct perf_clock *p, uint64_t ret[PERF_COUNTS]) must_use;
void perf_clock_close(struct perf_clock *p);    /* not the rings, which belong to their opener */
/* The task clock of one thread, and of what it starts from now on: a descriptor to be closed, or -errno as above. */
int  perf_clock_open_thread(pid_t thread) must_use;

static inline bool perf_clock_has(const struct perf_clock *p, enum perf_count c)
{
	return p->fd[c] >= 0 || (c == PERF_CLOCK_NS && p->rings);
}

#endif
