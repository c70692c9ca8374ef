/*
 * diskstats.h - the pure halves of reading /proc/diskstats.
 *
 * Rows are whole devices: what /sys/block lists, without loop* and ram*.  The sums count each byte
 * once: what is stacked on other listed devices (its `slaves` in sysfs: dm, md; or known by
 * name: bcache, drbd, zvols), and zram, which is memory, do not count.
 */
#ifndef RT_COLLECT_DISKSTATS_H
#define RT_COLLECT_DISKSTATS_H

#include "../core/sample.h"
#include "../core/scan.h"

enum { DISK_NAME_SIZE = 32 };                   /* DISK_NAME_LEN of the kernel */
enum { DISK_SECTOR_BYTES = 512 };

/*
 * Documentation/admin-guide/iostats.rst.  A sector is 512 bytes here, on 4K-native drives too
 * (include/linux/blk_types.h: SECTOR_SIZE).
 */
struct disk_counters {
	uint64_t reads, read_sectors, writes, write_sectors;
	uint64_t busy_ms, weighted_ms;          /* printed as 32 bits: they wrap */
};

struct disk_line {
	char name[DISK_NAME_SIZE];
	struct disk_counters counters;
};

/*
 * The next device in the text of /proc/diskstats that is no loop* or ram*; false: there is none.
 * Lines that are not complete are stepped over.
 */
bool disk_next(struct scan *s, struct disk_line *ret);
/* Both readings of one device; `row` gets its amounts and levels over `seconds`. */
void disk_derive(struct disk_row *row, const struct disk_counters *was, const struct disk_counters *now,
		 double seconds);
/*
 * NVMe multipath: one path's hidden node "nvme0c1n2" belongs to "nvme0n2".  False: `name` is no path.
 */
bool disk_path_head(char ret[DISK_NAME_SIZE], const char *name);

#endif
