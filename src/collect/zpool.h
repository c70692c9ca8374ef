/*
 * zpool.h - the texts about ZFS pools.
 *
 * Space: `zpool list -Hp -o name,size,allocated,free`, a line for each pool, fields separated by tabs, exact bytes;
 * the kernel has no file with it.  I/O: /proc/spl/kstat/zfs/POOL/objset-* (OpenZFS 0.8 and later: reads and writes of
 * programs, caches included), or POOL/io (before: those of the pool itself).
 */
#ifndef RT_COLLECT_ZPOOL_H
#define RT_COLLECT_ZPOOL_H

#include <sys/types.h>

#include "../core/limits.h"
#include "../core/scan.h"

enum { POOL_NAME_SIZE = 60 };                   /* a row's key has room for "zfs:" and the name */

struct pool_space {
	char name[POOL_NAME_SIZE];
	uint64_t size, allocated, free;
};

struct pool_io {
	uint64_t read_bytes, reads, write_bytes, writes;
};

/*
 * Parses at most `max` pools.  A pool without numbers ("-": faulted), or with a name too long for POOL_NAME_SIZE, is left
 * out.  Returns how many.
 */
size_t zpool_parse_list(struct pool_space *ret, size_t max, const char *text, size_t n);
/* Parses one file of either kind.  false: one of the four values is missing, and ret is unchanged. */
bool zpool_parse_io(struct pool_io *ret, const char *text, size_t n);

/*
 * Runs zpool, found in the usual places or on PATH, without a shell and for at most 2 s, and 0.2 s more to end it; its
 * output goes into `ret`, without a NUL.  Blocks, so call it in a worker.  The number of bytes, whatever its exit status;
 * -ENOENT: there is no zpool; -ETIMEDOUT; -EFBIG: the output fills `ret`; or another -errno.
 * Other code of the process that waits for any child can reap it first; that is not an error.
 *
 * left_behind: kept by the caller between calls, 0 at first: the process of the previous run that could not even be
 * killed.  While it exists no other is run: -EBUSY.
 */
int zpool_run(char *ret, size_t size, pid_t *left_behind) must_use;

#endif
