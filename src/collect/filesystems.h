/*
 * filesystems.h - the rows of mounts and the sums of space, over time.
 *
 * The list is read again when the kernel reports a change.  Local filesystems are read once a second by the sampling
 * thread; those that can block, every 10 seconds by the worker, and their last answers are used: for at most half a
 * minute, and not beyond 5 seconds without an answer.
 */
#ifndef RT_COLLECT_FILESYSTEMS_H
#define RT_COLLECT_FILESYSTEMS_H

#include "../core/collector.h"
#include "../core/worker.h"
#include "space_schedule.h"
#include "mount_device.h"

struct filesystem {
	struct mount mount;                     /* its texts point into the list below */
	char device[DEVICE_LABEL_SIZE];
	int64_t answered_ns;                    /* 0: never */
	bool known;                             /* the last answer was no error: `space` is set */
	struct space space;
};

struct filesystems {
	int info, sys, root;
	bool live;
	space_ask_function *ask;                /* space_ask; tests use one that hangs */
	bool stale;                             /* the kernel reported a change of the list */
	bool pools_known;                       /* ZFS is shown by its pools: no rows for its datasets */
	bool no_worker_noted;
	int64_t listed_ns, asked_ns, remote_ns; /* when; 0: never */
	struct mounts mounts;
	struct filesystem *at;
	struct space_share *shares;
	size_t n, n_blocking;
	struct space_schedule *space_schedule;                /* NULL: never asked */
	bool list_is_new;                       /* the schedule belongs to the previous list */
	bool harvest;                           /* answers of the last schedule wait to be taken */
	size_t current;                         /* the filesystem that the worker is reading ... */
	int64_t current_ns;                     /* ... and since when */
	bool hanging_noted;
};

/* *f is zeroed.  Without a mountinfo nothing is filled in.  src must outlive it. */
void filesystems_start(struct filesystems *f, const struct source *src);
/*
 * Fills in the sample of `tick`, without blocking.  *worker, NULL at first, is opened when it is first needed; the
 * caller closes it.
 */
void filesystems_read(struct filesystems *f, struct tick *tick, struct worker **worker);
/* Call it after worker_close; `lost`: that function reported a job that still runs. */
void filesystems_stop(struct filesystems *f, bool lost);

#endif
