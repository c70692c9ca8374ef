/* fuzz_disk.c - /proc/diskstats as any bytes. */
#include "../../src/collect/diskstats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scan s = scan_of((const char *)data, size);
	static struct disk_counters was;
	struct disk_line line;
	struct disk_row row;
	char head[DISK_NAME_SIZE];

	while (disk_next(&s, &line)) {
		(void)disk_path_head(head, line.name);
		disk_derive(&row, &was, &line.counters, 1);
		if (row.read_bytes < 0 || row.write_bytes < 0 || row.busy_pct < 0 || row.busy_pct > 100)
			__builtin_trap();
		was = line.counters;
	}
	return 0;
}
