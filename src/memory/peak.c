/* peak.c - the most that any one process of the tree had resident. */
#include "memory_state.h"

#include "../core/scan.h"

static const double NEAR = 0.01;                /* a peak so little above what was seen counts as seen */

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void memory_member_peak(struct memory *mem, struct member *m, int64_t rss)
{
	if (rss > m->memory.peak_rss)
		m->memory.peak_rss = rss;
	memory_peak(mem, rss, PEAK_SEEN);
}

/* A mark from before the baseline hides smaller peaks since, so these are known by what was seen. */
void memory_member_mark(struct memory *mem, struct member *m, int64_t mark, int64_t rss)
{
	if (mem->tracked->peaks_from_baseline && !m->fresh && !m->memory.marked) {
		m->memory.peak_before = mark;
		mem->peak.before = larger(mem->peak.before, mark);
	}
	m->memory.marked = true;
	memory_member_peak(mem, m, mark > m->memory.peak_before ? mark : rss);
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
	 * ru_maxrss is the maximum of the process, its children, and its memory before exec, which was as large as its
	 * parent's (exec_mmap in fs/exec.c).  So it is a lower bound of the tree's peak.  We forked the command
	 * ourselves: if it was one program, it is the command's own peak.
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
	mem->peak.left_bytes += (uint64_t)larger(m->memory.peak_rss, m->memory.peak_before);
}

struct largest memory_largest(const struct memory *mem)
{
	return (struct largest){ .rss = larger(mem->peak.rss, mem->peak.before), .left_bytes = mem->peak.left_bytes };
}

void memory_report_peak(const struct memory *mem, struct totals *out)
{
	static const char *const sources[] = { [PEAK_SEEN] = "VmHWM", [PEAK_REAPED] = "ru_maxrss" };
	const struct tracked *t = mem->tracked;

	if (mem->peak.rss <= 0)
		return;
	out->process_peak_rss_bytes = (double)mem->peak.rss;
	out->process_peak_rss_incomplete = mem->peak.missed || (t->primed && !t->ours && !t->no_children) ||
					   (double)mem->peak.before > (1 + NEAR) * (double)mem->peak.rss;
	(void)word_copy(word_of(sources[mem->peak.source]), out->process_peak_rss_source,
			sizeof out->process_peak_rss_source);
}
