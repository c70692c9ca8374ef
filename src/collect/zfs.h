/*
 * zfs.h - ZFS pools as rows of disks, "zfs:POOL", each with its space as a row of mounts.
 *
 * They do not count in the sums of I/O: their bytes pass through the disks.  Their space counts, instead of that of
 * their datasets, which share it.  Nothing is done if the kernel has no ZFS.
 */
#ifndef RT_COLLECT_ZFS_H
#define RT_COLLECT_ZFS_H

#include "../core/collector.h"
#include "../core/worker.h"
#include "zpool.h"

enum { ZFS_FILES_MAX = 64, ZPOOL_TEXT_SIZE = 16 * 1024 };

struct zfs_pool {
	char name[POOL_NAME_SIZE];
	bool seen;                              /* in the last list; so of a file */
	bool unread;                            /* has more files than can stay open: its I/O is missing */
	struct pool_io gained, total;           /* since the last reading; the kernel's counts */
};

struct zfs_file {                               /* one kstat, kept open */
	char name[32];
	size_t pool;                            /* index */
	int fd;
	bool primed, seen;
	struct pool_io was;
};

struct zpool_job {                              /* belongs to the worker while it is busy */
	int result;
	pid_t left_behind;
	char text[ZPOOL_TEXT_SIZE];
};

struct zfs {
	/*
	 * present: the kernel has ZFS.  live: the source is this machine, so zpool can run.  primed: there was a
	 * reading.  harvest: an answer of zpool waits to be taken.  reported: the last one was an error, noticed.
	 */
	bool present, live, primed, harvest, reported;
	int proc;
	int64_t listed_ns, asked_ns;            /* 0: never */
	size_t n_pools, n_files, n_spaces;
	struct zfs_pool pools[POOLS_MAX];
	struct zfs_file files[ZFS_FILES_MAX];
	struct pool_space spaces[POOLS_MAX];
	struct zpool_job *job;
};

void zfs_start(struct zfs *z, const struct source *src);        /* *z is zeroed; src must outlive it */
void zfs_read(struct zfs *z, struct tick *tick, struct worker **worker);        /* as filesystems_read */
void zfs_stop(struct zfs *z, bool lost);        /* as filesystems_stop */

#endif
