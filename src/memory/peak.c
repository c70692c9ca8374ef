/* peak.c - the most that any one process of the tree had resident. */
#include "memory_state.h"

#include "../core/scan.h"

void memory_member_peak(struct memory *mem, struct member *m, int64_t rss)
{
	if (rss > m->memory.peak_rss)
		m->memory.peak_rss = rss;
	memory_peak(mem, rss, PEAK_SEEN);
}

void memory_peak(struct memory *mem, int64_t rss, enum peak_source source)
{
	if (rss <= mem->peak.rss)
		return;
	mem->peak.rss = rss;
	mem->peak.source = source;
}

void memory_reaped(struct memory *mem, struct member *m, int64_t peak, bool childless)
{
	/*
	 * ru_maxrss is the largest among the process, its children, and what it was before it exec'd: as large as
	 * its parent (exec_mmap in fs/exec.c).  So it is a lower bound of the tree's peak; that of the command, which
	 * we forked, is its own if it was one program.
	 */
	memory_peak(mem, peak, PEAK_REAPED);
	if (childless && !m->memory.renewed && m->is_root)
		memory_member_peak(mem, m, peak);
}

void memory_peak_missed(struct memory *mem)
{
	mem->peak.missed = true;
}

void memory_ended(struct memory *mem, const struct member *m)
{
	mem->peak.left_bytes += (uint64_t)m->memory.peak_rss;
}

struct largest memory_largest(const struct memory *mem)
{
	return (struct largest){ .rss = mem->peak.rss, .left_bytes = mem->peak.left_bytes };
}

void memory_report_peak(const struct memory *mem, struct totals *out)
{
	static const char *const sources[] = { [PEAK_SEEN] = "VmHWM", [PEAK_REAPED] = "ru_maxrss" };
	const struct tracked *t = mem->tracked;

	if (mem->peak.rss <= 0)
		return;
	out->process_peak_rss_bytes = (double)mem->peak.rss;
	out->process_peak_rss_incomplete = mem->peak.missed || (t->primed && !t->ours && !t->no_children);
	(void)word_copy(word_of(sources[mem->peak.source]), out->process_peak_rss_source,
			sizeof out->process_peak_rss_source);
}
