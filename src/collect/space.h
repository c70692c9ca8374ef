/*
 * space.h - the space of a filesystem, by statvfs(3), and its sums.
 *
 * A filesystem is read by its path, and no descriptor on it is kept: that would make umount fail.
 */
#ifndef RT_COLLECT_SPACE_H
#define RT_COLLECT_SPACE_H

#include "../core/sample.h"
#include "mounts.h"

struct space {
	uint64_t block_bytes, blocks, free, available;  /* in blocks; available: to ordinary users */
	uint64_t files, id;                             /* number of inodes; f_fsid */
};

/*
 * On the live machine the path is used as it is.  Below another root (`root`) it is used only if the filesystem there
 * has the device number that mountinfo gives: never so for a captured machine, but so for the host's root mounted in
 * a container.  Can block (a dead server): call it in a worker.  -errno of statvfs or openat; -ESTALE: another
 * filesystem.
 */
typedef int space_ask_function(struct space *ret, bool live, int root, const char *point,
			       unsigned major, unsigned minor);
space_ask_function space_ask;

/* Sets the row's sizes, in bytes, and used_pct, NONE without blocks. */
void space_fill(struct mount_row *row, const struct space *space);

/* How a filesystem counts in the sums. */
struct space_share {
	struct space space;
	enum mount_class class;
	bool is_file, is_fuse, known;
	bool counted;                           /* set by space_total */
	const char *source;                     /* of the mount, "server:/path"; borrowed */
};

/*
 * The sums over all filesystems, each once.  Not counted: those that show the space of another one in the array (an
 * overlay or a bind-mounted file, and the filesystem below; exports of one server that share a filesystem there), and
 * a FUSE filesystem of a PiB or more (object stores make sizes up).  The sums in `out` are NONE before, and stay so if
 * nothing is known.
 */
void space_total(struct totals *out, struct space_share *shares, size_t n);

/* Whether both describe one filesystem: the same size, and free space that differs by less than a 4096th of it. */
bool space_is_same(const struct space *a, const struct space *b);

#endif
