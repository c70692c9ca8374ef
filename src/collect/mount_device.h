/* mount_device.h - the whole disk under a filesystem, named as in the rows of disks. */
#ifndef RT_COLLECT_MOUNT_DEVICE_H
#define RT_COLLECT_MOUNT_DEVICE_H

#include "mounts.h"

enum { DEVICE_LABEL_SIZE = 64 };

/*
 * "vda" for a partition of it, "dm-0" for a mapping, "server:/export" or "overlay" if there is no device; cut to fit.
 * sys: a descriptor of /sys.
 */
void mount_device(char ret[DEVICE_LABEL_SIZE], int sys, const struct mount *m);

/*
 * Pure: extracts the disk's name from the target of a link in /sys/dev/block or /sys/class/block,
 * "../../devices/.../block/vda/vda1".  false: it has no such component.
 */
bool mount_device_of_link(char ret[DEVICE_LABEL_SIZE], const char *link, bool is_partition);

#endif
