/*
 * filesystems.h - the rows of mounts and the sums of space, over time.
 *
 * The list is made anew when the kernel says that it changed.  What is local is asked about once a second
 * by whoever samples; what may block, every 10 seconds in the worker, and its last answers are
 * used: for at most half a minute, and not beyond 5 seconds in which it did not answer.
 */
#ifndef RT_COLLECT_FILESYSTEMS_H
#define RT_COLLECT_FILESYSTEMS_H

#include "../core/collector.h"
#include "../core/worker.h"
#include "space_schedule.h"
#include "mount_device.h"

struct filesystem {
	struct mount mount;                     /* its texts are in the list below */
	char device[DEVICE_LABEL_SIZE];
	int64_t answered_ns;                    /* 0: never */
	bool known;
	struct space space;
};

struct filesystems {
	int info, sys, root;
	bool live;
	space_ask_function *ask;                /* space_ask; tests put in one that hangs */
	bool stale;                             /* the kernel says that the list changed */
	bool pools_known;                       /* ZFS is told by its pools: no rows for its datasets */
	bool no_worker_noted;
	int64_t listed_ns, asked_ns, remote_ns; /* when; 0: never */
	struct mounts mounts;
	struct filesystem *at;
	struct space_share *shares;
	size_t n, n_blocking;
	struct space_schedule *space_schedule;                /* NULL: never asked */
	bool list_is_new;                       /* the schedule are of the one before */
	bool harvest;                           /* answers of the last asking wait to be taken */
	size_t current;                         /* which one the worker was at ... */
	int64_t current_ns;                     /* ... and since when */
	bool hanging_noted;
};

void filesystems_start(struct filesystems *f, const struct source *src);
/* *worker is opened when the first one is needed; it is the caller's. */
void filesystems_read(struct filesystems *f, struct tick *tick, struct worker **worker);
/* After worker_close; `lost`: it said that a job still runs. */
void filesystems_stop(struct filesystems *f, bool lost);

#endif
