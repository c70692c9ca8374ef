/* mount_device.h - the whole disk that a filesystem is on, as the rows of disks are called. */
#ifndef RT_COLLECT_MOUNT_DEVICE_H
#define RT_COLLECT_MOUNT_DEVICE_H

#include "mounts.h"

enum { DEVICE_LABEL_SIZE = 64 };

/* "vda" for a partition of it, "dm-0" for a mapping, "server:/export" or "overlay" without a device. */
void mount_device(char ret[DEVICE_LABEL_SIZE], int sys, const struct mount *m);

/*
 * Pure: the disk's name out of where a link in /sys/dev/block or /sys/class/block leads,
 * "../../devices/.../block/vda/vda1".  False: there is no such part.
 */
bool mount_device_of_link(char ret[DEVICE_LABEL_SIZE], const char *link, bool is_partition);

#endif
