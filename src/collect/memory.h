/*
 * memory.h - the pure functions of the memory collector, apart for tests and fuzzing: /proc/meminfo and /proc/vmstat
 * (Documentation/filesystems/proc.rst).
 */
#ifndef RT_COLLECT_MEMORY_H
#define RT_COLLECT_MEMORY_H

#include "../core/fields.h"
#include "../core/sample.h"

enum meminfo_field {                            /* in the order of the file */
	MEMINFO_TOTAL, MEMINFO_FREE, MEMINFO_AVAILABLE, MEMINFO_BUFFERS, MEMINFO_CACHED, MEMINFO_ACTIVE,
	MEMINFO_INACTIVE, MEMINFO_ACTIVE_ANON, MEMINFO_INACTIVE_ANON, MEMINFO_SWAP_TOTAL, MEMINFO_SWAP_FREE,
	MEMINFO_DIRTY, MEMINFO_WRITEBACK, MEMINFO_SHMEM, MEMINFO_SRECLAIMABLE, MEMINFO_COMMITTED,
	MEMINFO_ANON_HUGE, MEMINFO_HUGE_TOTAL, MEMINFO_HUGE_FREE, MEMINFO_HUGE_SIZE, MEMINFO_HUGETLB, MEMINFO_COUNT,
};

enum vmstat_field { VMSTAT_SWAP_IN, VMSTAT_SWAP_OUT, VMSTAT_FAULTS, VMSTAT_MAJOR_FAULTS, VMSTAT_OOM_KILLS,
		    VMSTAT_COUNT };

struct meminfo { uint64_t found, value[MEMINFO_COUNT]; };       /* KiB, except the numbers of huge pages */
struct vmstat  { uint64_t found, value[VMSTAT_COUNT]; };        /* pages and events since boot */

/*
 * -EBADMSG if no line is known, and `found` is 0; any single line can be missing.  places: where the fields were in the
 * previous text; NULL: none.
 */
int  meminfo_parse(struct meminfo *ret, const char *text, size_t n, struct places *places) must_use;
int  vmstat_parse(struct vmstat *ret, const char *text, size_t n, struct places *places) must_use;
/* Set the metrics of memory_*, to NONE where a line is missing, in either reading. */
void meminfo_derive(struct totals *out, const struct meminfo *now);
void vmstat_derive(struct totals *out, const struct vmstat *was, const struct vmstat *now, long page_bytes);

#endif
