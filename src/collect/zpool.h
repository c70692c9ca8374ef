/*
 * zpool.h - the texts that tell of ZFS pools.
 *
 * Space: `zpool list -Hp -o name,size,allocated,free`, a line for each pool, fields parted by tabs, exact
 * bytes; the kernel has it nowhere to read.  I/O: /proc/spl/kstat/zfs/POOL/objset-* (OpenZFS 0.8
 * and later: what programs read and wrote, caches included), or POOL/io (before: the pool's own).
 */
#ifndef RT_COLLECT_ZPOOL_H
#define RT_COLLECT_ZPOOL_H

#include <sys/types.h>

#include "../core/limits.h"
#include "../core/scan.h"

enum { POOL_NAME_SIZE = 60 };                   /* with "zfs:" before it the name fits a row's key */

struct pool_space {
	char name[POOL_NAME_SIZE];
	uint64_t size, allocated, free;
};

struct pool_io {
	uint64_t read_bytes, reads, write_bytes, writes;
};

/* Pools in `text`, at most `max`.  A pool whose numbers are not told ("-": faulted) is left out. */
size_t zpool_parse_list(struct pool_space *ret, size_t max, const char *text, size_t n);
/* Either kind of kstat.  False: it has not all four. */
bool zpool_parse_io(struct pool_io *ret, const char *text, size_t n);

/*
 * Runs zpool, found in the usual places or on PATH, without a shell and for at most 2 s; its output
 * into `ret`.  Blocks, so it belongs in a worker.  The number of bytes, or -errno.
 * Whoever waits for any child may reap it first; that is no error.
 *
 * left_behind: of the run before, who could not even be killed; 0: nobody.  While it is there no other is run: -EBUSY.
 */
int zpool_run(char *ret, size_t size, pid_t *left_behind) must_use;

#endif
