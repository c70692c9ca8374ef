/*
 * spool.h - what is on disk until it is delivered: $XDG_STATE_HOME/resource-tracker/push/RUN/ has the batches of a run,
 * .../upload/TIME-PID/ a record for a store.
 *
 * A folder belongs to one run.  The process that sends it holds a lock on it, which ends with the process, so another
 * one can take over what a killed one left.  Files in it take their names when they are whole.
 */
#ifndef RT_SPOOL_H
#define RT_SPOOL_H

#include <limits.h>

#include "../core/buffer.h"
#include "../core/why.h"

struct spool {
	int root, folder;                       /* -1: not open */
	char name[200];                         /* of the folder */
};

/* The folders in which those of runs are. */
extern const char SPOOL_PUSH[], SPOOL_UPLOAD[];
/* Opens one.  -errno with a sentence; -ENOENT: nothing is spooled, or there is no place for it. */
int  spool_root(const char *kind, bool make, struct why *why) must_use;
/*
 * Takes the folder of a run, made if `make`.  `root` must outlive it.  -EBUSY: another process sends it; -ENOENT: there
 * is none; -errno.
 */
int  spool_open(struct spool *ret, int root, const char *name, bool make) must_use;
void spool_close(struct spool *s);
void spool_remove(struct spool *s);             /* with all files in it, and closes it */

/* 0 or -errno.  Writes aside, then renames. */
int  spool_write(const struct spool *s, const char *file, const char *bytes, size_t n) must_use;
int  spool_read(const struct spool *s, const char *file, struct buffer *ret) must_use;         /* replaces *ret */
size_t spool_size(const struct spool *s, const char *file);     /* 0: there is none */
void spool_delete(const struct spool *s, const char *file);

/* Calls back with each name of a folder that does not begin with a dot. */
void spool_walk(int folder, void (*each)(void *context, const char *name), void *context);

#endif
