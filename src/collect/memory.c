/* memory.c - /proc/meminfo and /proc/vmstat: the machine's memory, its use and its paging. */
#include "memory.h"

#include <fcntl.h>
#include <string.h>

#include "../core/collector.h"

enum { VMSTAT_MARGIN = 256 };                   /* bytes by which the file can grow between two readings */

struct memory {
	int  meminfo, vmstat;
	bool primed;                            /* `was` holds a reading */
	struct vmstat was;
	struct places meminfo_places, vmstat_places;
	size_t vmstat_bytes;                    /* the length up to the last field in use; 0: unknown */
};

/* Documentation/filesystems/proc.rst, fs/proc/meminfo.c */
static const struct field meminfo_fields[MEMINFO_COUNT] = {
	[MEMINFO_TOTAL] = FIELD("MemTotal:"),
	[MEMINFO_FREE] = FIELD("MemFree:"),
	[MEMINFO_AVAILABLE] = FIELD("MemAvailable:"),
	[MEMINFO_BUFFERS] = FIELD("Buffers:"),
	[MEMINFO_CACHED] = FIELD("Cached:"),
	[MEMINFO_ACTIVE] = FIELD("Active:"),
	[MEMINFO_INACTIVE] = FIELD("Inactive:"),
	[MEMINFO_ACTIVE_ANON] = FIELD("Active(anon):"),
	[MEMINFO_INACTIVE_ANON] = FIELD("Inactive(anon):"),
	[MEMINFO_SWAP_TOTAL] = FIELD("SwapTotal:"),
	[MEMINFO_SWAP_FREE] = FIELD("SwapFree:"),
	[MEMINFO_DIRTY] = FIELD("Dirty:"),
	[MEMINFO_WRITEBACK] = FIELD("Writeback:"),
	[MEMINFO_SHMEM] = FIELD("Shmem:"),
	[MEMINFO_SRECLAIMABLE] = FIELD("SReclaimable:"),
	[MEMINFO_COMMITTED] = FIELD("Committed_AS:"),
	[MEMINFO_ANON_HUGE] = FIELD("AnonHugePages:"),
	[MEMINFO_HUGE_TOTAL] = FIELD("HugePages_Total:"),
	[MEMINFO_HUGE_FREE] = FIELD("HugePages_Free:"),
	[MEMINFO_HUGE_SIZE] = FIELD("Hugepagesize:"),
	[MEMINFO_HUGETLB] = FIELD("Hugetlb:"),
};

/* mm/vmstat.c; oom_kill since Linux 4.13 */
static const struct field vmstat_fields[VMSTAT_COUNT] = {
	[VMSTAT_SWAP_IN] = FIELD("pswpin "),
	[VMSTAT_SWAP_OUT] = FIELD("pswpout "),
	[VMSTAT_FAULTS] = FIELD("pgfault "),
	[VMSTAT_MAJOR_FAULTS] = FIELD("pgmajfault "),
	[VMSTAT_OOM_KILLS] = FIELD("oom_kill "),
};

int meminfo_parse(struct meminfo *ret, const char *text, size_t n, struct places *places)
{
	ret->found = fields_parse_again(ret->value, meminfo_fields, MEMINFO_COUNT, text, n, places);
	return ret->found ? 0 : -EBADMSG;
}

int vmstat_parse(struct vmstat *ret, const char *text, size_t n, struct places *places)
{
	ret->found = fields_parse_again(ret->value, vmstat_fields, VMSTAT_COUNT, text, n, places);
	return ret->found ? 0 : -EBADMSG;
}

static double count_of(const struct meminfo *m, enum meminfo_field f)
{
	return fields_has(m->found, f) ? (double)m->value[f] : NONE;
}

static double bytes_of(const struct meminfo *m, enum meminfo_field f)
{
	return 1024 * count_of(m, f);
}

/* a - b, at least 0: the kernel does not take both at one instant.  NONE if either is. */
static double difference(double a, double b)
{
	return a < b ? 0 : a - b;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : is_none(whole) ? NONE : 0;
}

/* MemAvailable came with Linux 3.14, and is missing in some containers' meminfo. */
static double available_of(const struct meminfo *m)
{
	double reported = bytes_of(m, MEMINFO_AVAILABLE);

	if (!is_none(reported))
		return reported;
	return add_known(bytes_of(m, MEMINFO_FREE) + bytes_of(m, MEMINFO_BUFFERS) + bytes_of(m, MEMINFO_CACHED),
			 bytes_of(m, MEMINFO_SRECLAIMABLE));
}

/* Hugetlb (Linux 4.19) is the sum over all sizes; the HugePages_ lines cover only the default size. */
static double huge_total_of(const struct meminfo *m)
{
	double all = bytes_of(m, MEMINFO_HUGETLB);

	return is_none(all) ? count_of(m, MEMINFO_HUGE_TOTAL) * bytes_of(m, MEMINFO_HUGE_SIZE) : all;
}

void meminfo_derive(struct totals *out, const struct meminfo *m)
{
	out->memory_total_bytes = bytes_of(m, MEMINFO_TOTAL);
	out->memory_free_bytes = bytes_of(m, MEMINFO_FREE);
	out->memory_available_bytes = available_of(m);
	out->memory_used_bytes = difference(out->memory_total_bytes, out->memory_available_bytes);
	out->memory_used_pct = percent(out->memory_used_bytes, out->memory_total_bytes);
	out->memory_buffers_bytes = bytes_of(m, MEMINFO_BUFFERS);
	out->memory_cached_bytes = bytes_of(m, MEMINFO_CACHED);
	if (fields_has(m->found, MEMINFO_SRECLAIMABLE))
		out->memory_cached_bytes += bytes_of(m, MEMINFO_SRECLAIMABLE);
	out->memory_active_bytes = bytes_of(m, MEMINFO_ACTIVE);
	out->memory_inactive_bytes = bytes_of(m, MEMINFO_INACTIVE);
	out->memory_active_anon_bytes = bytes_of(m, MEMINFO_ACTIVE_ANON);
	out->memory_inactive_anon_bytes = bytes_of(m, MEMINFO_INACTIVE_ANON);
	out->memory_shmem_bytes = bytes_of(m, MEMINFO_SHMEM);
	out->memory_dirty_bytes = bytes_of(m, MEMINFO_DIRTY);
	out->memory_writeback_bytes = bytes_of(m, MEMINFO_WRITEBACK);
	out->memory_committed_bytes = bytes_of(m, MEMINFO_COMMITTED);
	out->memory_huge_pages_total_bytes = huge_total_of(m);
	out->memory_huge_pages_free_bytes = count_of(m, MEMINFO_HUGE_FREE) * bytes_of(m, MEMINFO_HUGE_SIZE);
	out->memory_transparent_huge_bytes = bytes_of(m, MEMINFO_ANON_HUGE);
	out->memory_swap_total_bytes = bytes_of(m, MEMINFO_SWAP_TOTAL);
	out->memory_swap_used_bytes = difference(out->memory_swap_total_bytes, bytes_of(m, MEMINFO_SWAP_FREE));
	out->memory_swap_used_pct = percent(out->memory_swap_used_bytes, out->memory_swap_total_bytes);
}

static double gained_of(const struct vmstat *was, const struct vmstat *now, enum vmstat_field f)
{
	return fields_has(was->found & now->found, f) ? gained(was->value[f], now->value[f]) : NONE;
}

void vmstat_derive(struct totals *out, const struct vmstat *was, const struct vmstat *now, long page_bytes)
{
	out->memory_swap_in_bytes = gained_of(was, now, VMSTAT_SWAP_IN) * (double)page_bytes;
	out->memory_swap_out_bytes = gained_of(was, now, VMSTAT_SWAP_OUT) * (double)page_bytes;
	out->memory_major_faults = gained_of(was, now, VMSTAT_MAJOR_FAULTS);
	/* pgfault includes major faults. */
	out->memory_minor_faults = difference(gained_of(was, now, VMSTAT_FAULTS), out->memory_major_faults);
	out->memory_oom_kills = gained_of(was, now, VMSTAT_OOM_KILLS);
}

static int memory_start(void *state, const struct setup *setup, struct why *why)
{
	struct memory *m = state;

	m->vmstat = source_open_file(setup->src->proc, "vmstat");
	m->meminfo = source_open_file(setup->src->proc, "meminfo");
	return m->meminfo < 0 ? why_set(why, -errno, "cannot read /proc/meminfo: %s", strerror(errno)) : 0;
}

static size_t last_place(const struct places *vmstat)
{
	size_t last = 0;

	for (size_t i = 0; i < VMSTAT_COUNT; i++)
		last = size_max(last, vmstat->at[i]);
	return last;
}

/*
 * The kernel formats vmstat line by line, 0.1 us each, up to the requested length: a third of the lines come after
 * the last one in use.
 */
static int read_vmstat(struct memory *m, struct text *text, struct vmstat *ret)
{
	const uint64_t all = (UINT64_C(1) << VMSTAT_COUNT) - 1;
	int r = m->vmstat < 0 ? -ENODATA : text_read_lines(text, m->vmstat, m->vmstat_bytes);

	if (r == 0)
		r = vmstat_parse(ret, text->at, text->len, &m->vmstat_places);
	if (m->vmstat_bytes > 0 && (r < 0 || ret->found != all)) {
		m->vmstat_bytes = 0;            /* it grew by more than the margin */
		m->vmstat_places = (struct places){ 0 };
		return read_vmstat(m, text, ret);
	}
	if (r == 0 && ret->found == all)
		m->vmstat_bytes = last_place(&m->vmstat_places) + VMSTAT_MARGIN;
	return r;
}

static void fill_vmstat(struct memory *m, struct tick *tick)
{
	struct vmstat now;

	if (read_vmstat(m, tick->text, &now) < 0) {
		m->primed = false;
		return;
	}
	if (m->primed)
		vmstat_derive(&tick->out->total, &m->was, &now, tick->src->page_bytes);
	m->was = now;
	m->primed = true;
}

static int memory_read(void *state, struct tick *tick)
{
	struct memory *m = state;
	struct meminfo now;

	fill_vmstat(m, tick);

	int r = text_read(tick->text, m->meminfo);
	if (r < 0)
		return r;
	r = meminfo_parse(&now, tick->text->at, tick->text->len, &m->meminfo_places);
	if (r < 0)
		return r;
	meminfo_derive(&tick->out->total, &now);
	return 0;
}

static void memory_stop(void *state)
{
	struct memory *m = state;

	close_p(&m->meminfo);
	close_p(&m->vmstat);
}

const struct collector collector_memory = {
	.state_size = sizeof(struct memory),
	.start = memory_start,
	.read = memory_read,
	.stop = memory_stop,
};
