/*
 * space.h - the space of a filesystem, by statvfs(3), and what it says.
 *
 * A filesystem is asked by its path, and no descriptor on it is ever kept: that would make umount fail.
 */
#ifndef RT_COLLECT_SPACE_H
#define RT_COLLECT_SPACE_H

#include "../core/sample.h"
#include "mounts.h"

struct space {
	uint64_t block_bytes, blocks, free, available;  /* available: to ordinary users */
	uint64_t files, id;
};

/*
 * On the live machine the path is asked as it is.  Below another root (`root`) it is asked only if
 * what lies there is the very filesystem that mountinfo names, by its device number: a captured
 * machine has none of them, the host's root mounted in a container has.  May block.
 * -errno of statvfs; -ESTALE: another filesystem.
 */
typedef int space_ask_function(struct space *ret, bool live, int root, const char *point,
			       unsigned major, unsigned minor);
space_ask_function space_ask;

void space_fill(struct mount_row *row, const struct space *space);

/* What a filesystem counts as in the sums. */
struct space_share {
	struct space space;
	enum mount_class class;
	bool is_file, is_fuse, known;
	bool counted;                           /* set by space_total */
	const char *source;
};

/*
 * The sums over all filesystems, each once.  Not counted: what shows the space of one before or after
 * it (an overlay or a bind-mounted file, and the filesystem below; exports of one server that
 * share a filesystem there), and a FUSE filesystem of a PiB and more (object stores make sizes up).
 * NONE where nothing is known.
 */
void space_total(struct totals *out, struct space_share *shares, size_t n);

/* Both numbers describe one filesystem: same size, and the same use but for what happened between the two schedule. */
bool space_is_same(const struct space *a, const struct space *b);

#endif
