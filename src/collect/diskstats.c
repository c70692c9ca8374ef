/* diskstats.c - parses /proc/diskstats, and derives values from two readings of a device. */
#include "diskstats.h"

#include <stdio.h>
#include <string.h>

static bool is_memory(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) == 0 && name[n] >= '0' && name[n] <= '9';
}

static bool parse_line(struct scan *s, struct disk_line *ret)
{
	struct disk_counters c;
	uint64_t major, minor, ignored;
	struct word name;

	if (!scan_u64(s, &major) || !scan_u64(s, &minor) || !scan_word(s, &name) ||
	    !word_copy(name, ret->name, sizeof ret->name))
		return false;
	if (is_memory(ret->name, "loop") || is_memory(ret->name, "ram"))
		return false;
	/*
	 * reads, merged, sectors, ms; the same for writes; in flight, busy, weighted.  Partitions once had four
	 * fields.
	 */
	if (!scan_u64(s, &c.reads) || !scan_u64(s, &ignored) || !scan_u64(s, &c.read_sectors) ||
	    !scan_u64(s, &ignored) || !scan_u64(s, &c.writes) || !scan_u64(s, &ignored) ||
	    !scan_u64(s, &c.write_sectors) || !scan_u64(s, &ignored) || !scan_u64(s, &ignored) ||
	    !scan_u64(s, &c.busy_ms) || !scan_u64(s, &c.weighted_ms))
		return false;
	ret->counters = c;
	return true;
}

bool disk_next(struct scan *s, struct disk_line *ret)
{
	while (s->at < s->end) {
		bool whole = parse_line(s, ret);

		(void)scan_next_line(s);
		if (whole)
			return true;
	}
	return false;
}

bool disk_path_head(char ret[DISK_NAME_SIZE], const char *name)
{
	struct scan s = scan_of(name, strlen(name));
	uint64_t subsystem, controller, space;

	if (!scan_literal(&s, "nvme") || !scan_u64(&s, &subsystem) || !scan_literal(&s, "c") ||
	    !scan_u64(&s, &controller) || !scan_literal(&s, "n") || !scan_u64(&s, &space) ||
	    s.at != s.end || subsystem > UINT32_MAX || space > UINT32_MAX)
		return false;
	(void)snprintf(ret, DISK_NAME_SIZE, "nvme%un%u", (unsigned)subsystem, (unsigned)space);
	return true;
}

/* Milliseconds of a counter that wraps at 32 bits; a small step back is rounding, not a wrap. */
static double gained_ms(uint64_t was, uint64_t now)
{
	if (was > now && was <= UINT32_MAX && was - now > UINT32_MAX / 2)
		now += (uint64_t)UINT32_MAX + 1;
	return gained(was, now);
}

void disk_derive(struct disk_row *row, const struct disk_counters *was, const struct disk_counters *now,
		 double seconds)
{
	row->read_bytes = gained(was->read_sectors, now->read_sectors) * DISK_SECTOR_BYTES;
	row->write_bytes = gained(was->write_sectors, now->write_sectors) * DISK_SECTOR_BYTES;
	row->reads = gained(was->reads, now->reads);
	row->writes = gained(was->writes, now->writes);
	if (seconds > 0) {
		double busy = gained_ms(was->busy_ms, now->busy_ms) / (seconds * 10);

		/* The kernel counts busy time in ticks of up to 10 ms. */
		row->busy_pct = busy < 100 ? busy : 100;
		row->queue_length = gained_ms(was->weighted_ms, now->weighted_ms) / (seconds * 1000);
	}
}
