/*
 * diskstats.h - the pure functions for /proc/diskstats: parsing and differences.
 *
 * Their caller, disk.c, reads the file and decides which devices are rows and which count in the sums: rows are whole
 * devices, those in /sys/block, without loop* and ram*.  The sums count each byte once: devices stacked on other listed
 * devices (`slaves` in sysfs: dm, md; or known by name: bcache, drbd, zvols), and zram, which is memory, do not count.
 */
#ifndef RT_COLLECT_DISKSTATS_H
#define RT_COLLECT_DISKSTATS_H

#include "../core/sample.h"
#include "../core/scan.h"

enum { DISK_NAME_SIZE = 32 };                   /* DISK_NAME_LEN of the kernel */
enum { DISK_SECTOR_BYTES = 512 };

/*
 * Documentation/admin-guide/iostats.rst.  A sector is 512 bytes here, also on 4K-native drives
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
 * The next device in the text of /proc/diskstats that is not loop* or ram*; false: there is none, and *ret means
 * nothing.  Incomplete lines are skipped.
 */
bool disk_next(struct scan *s, struct disk_line *ret);
/*
 * From two readings of one device, fills in the row's amounts (bytes, operations) and levels over `seconds`.  A counter
 * that fell gives 0; busy_pct is at most 100.  With `seconds` NONE or 0 the levels stay.
 */
void disk_derive(struct disk_row *row, const struct disk_counters *was, const struct disk_counters *now,
		 double seconds);
/* NVMe multipath: the hidden node "nvme0c1n2" of a path belongs to "nvme0n2".  false: `name` is not a path. */
bool disk_path_head(char ret[DISK_NAME_SIZE], const char *name);

#endif
