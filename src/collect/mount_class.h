/* mount_class.h - classifies types of filesystems. */
#ifndef RT_MOUNT_CLASS_H
#define RT_MOUNT_CLASS_H

#include <stdbool.h>

enum mount_class {
	MOUNT_NONE,                             /* holds no data of its own */
	MOUNT_DEVICE,                           /* on a block device */
	MOUNT_LOCAL,                            /* local, without a device number of its own: btrfs ..., tmpfs */
	MOUNT_OVERLAY,                          /* has the space of the filesystem below */
	MOUNT_REMOTE,                           /* a server or a process answers for it, and can hang */
};

/*
 * major: of its device number; `is_root`: it is mounted at "/".  An unknown type without a device holds no data, unless
 * its source is a server's.
 */
enum mount_class mount_classify(const char *type, const char *source, unsigned major, bool is_root);
bool mount_is_fuse(const char *type);

#endif
