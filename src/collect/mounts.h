/*
 * mounts.h - which mounted filesystems hold data, from the text of /proc/self/mountinfo.
 *
 * Each filesystem stands once, by its device number: bind mounts collapse to the shortest mount
 * point that is a directory.  A bind-mounted file (a container's /etc/hosts) stands only for a
 * filesystem that nothing else shows.  Left out are: what is covered by another mount; anything at
 * or below /proc, /sys, /dev and /run; kernel filesystems; read-only images and what lies on a loop
 * device (its bytes are another filesystem's); overlay, tmpfs and ZFS (whose pools zfs.h tells)
 * unless they are the root.
 */
#ifndef RT_COLLECT_MOUNTS_H
#define RT_COLLECT_MOUNTS_H

#include "../core/scan.h"
#include "mount_class.h"

struct mount {
	unsigned id, parent, major, minor;
	char *root, *point, *type, *source;     /* octal escapes decoded; in the text of `struct mounts` */
	enum mount_class class;
	bool may_block;                         /* remote, or its mount point is reached through such a mount */
	bool is_file;                           /* the mount point is no directory */
};

struct mounts {
	char *text;
	struct mount *at;
	size_t n;
};

/* All lines.  Released by mounts_release, also after -ENOMEM.  Lines that are broken are left out. */
int  mounts_parse(struct mounts *ret, const char *text, size_t n) must_use;
void mounts_release(struct mounts *m);

/*
 * Keeps those that are to be listed, in their order.  `is_file` is asked about mount points of which
 * only a part of the filesystem is mounted and that cannot block.
 */
void mounts_select(struct mounts *m, bool (*is_file)(void *context, const char *point), void *context);

/* "/a/b" is at or below "/a", not "/ab". */
bool path_is_below(const char *path, const char *directory);

#endif
