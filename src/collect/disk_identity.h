/*
 * disk_identity.h - identifies a block device: /sys/block/NAME (Documentation/ABI/stable/sysfs-block).  Read once for
 * each device.  sys: a descriptor of /sys.
 */
#ifndef RT_COLLECT_DISK_IDENTITY_H
#define RT_COLLECT_DISK_IDENTITY_H

#include "diskstats.h"

struct disk_identity {
	char model[64], vendor[64], serial[64]; /* "": unknown */
	char device_type[8];                    /* nvme, ssd, hdd, "" */
	double capacity_bytes;                  /* NONE: no medium */
	bool is_virtual;                        /* no hardware of its own: the devices below it can change */
	bool stacked;                           /* its bytes pass through another listed device, or are in memory */
	bool hidden;                            /* one path of a multipath device */
};

/*
 * Only what the sums need: is_virtual, stacked, hidden, and the capacity; the texts are "".  -ENOENT: not a whole
 * device of this name (a partition, or gone).
 */
int  disk_identify_brief(struct disk_identity *ret, int sys, const char *name) must_use;
/* Reads everything; errors as above.  A virtio disk asks the host for its serial number, which takes a while. */
int  disk_identify(struct disk_identity *ret, int sys, const char *name) must_use;
/* Reads again what can change: capacity, and the devices below.  Of a device that is gone all stays. */
void disk_identify_again(struct disk_identity *identity, int sys, const char *name);

#endif
