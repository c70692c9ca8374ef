/*
 * mounts.h - selects the mounted filesystems that hold data, from the text of /proc/self/mountinfo
 * (Documentation/filesystems/proc.rst, 3.5).
 *
 * Each filesystem is listed once, by its device number: bind mounts collapse to the shortest mount point that is a
 * directory.  A bind-mounted file (a container's /etc/hosts) is listed only for a filesystem without another mount.
 * Left out are: mounts covered by another one; anything at or below /proc, /sys, /dev and /run; kernel filesystems;
 * read-only images and filesystems on a loop device (its bytes are another filesystem's); overlay, tmpfs and ZFS (its
 * pools are in zfs.h) unless they are the root.
 */
#ifndef RT_COLLECT_MOUNTS_H
#define RT_COLLECT_MOUNTS_H

#include "../core/scan.h"
#include "mount_class.h"

struct mount {
	unsigned id, parent, major, minor;
	char *root, *point, *type, *source;     /* octal escapes decoded; they point into the text of `struct mounts` */
	enum mount_class class;                 /* this and the next two are set by mounts_select */
	bool may_block;                         /* remote, or its mount point is reached through such a mount */
	bool is_file;                           /* the mount point is not a directory */
};

struct mounts {
	char *text;
	struct mount *at;
	size_t n;
};

/* Parses all lines; malformed ones are left out.  -ENOMEM: *ret is empty. */
int  mounts_parse(struct mounts *ret, const char *text, size_t n) must_use;
void mounts_release(struct mounts *m);

/*
 * Sets class, may_block and is_file, and keeps the mounts to be listed, in their order.  `is_file` is called for mount
 * points that show only a part of their filesystem and cannot block.
 */
void mounts_select(struct mounts *m, bool (*is_file)(void *context, const char *point), void *context);

/* True for "/a/b" below "/a", and for "/a" itself; false for "/ab". */
bool path_is_below(const char *path, const char *directory);

#endif
