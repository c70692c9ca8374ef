/*
 * pss_bounds.c - PSS between its readings: the value as it is carried, and what it is at least and at most.
 *
 * The bounds hold for the sum over the tree and contain the truth at any time, however old the readings
 * are; what they take for granted is that processes outside the tree share as much of its files as they
 * did at the readings, and that the kernel merges no equal pages (KSM).
 */
#include "state.h"

enum { MIB = 1024 * 1024 };

/* A table of page table entries covers what one huge page covers. */
static int64_t huge_page_bytes(const struct tree *t)
{
	return t->src->page_bytes * (t->src->page_bytes / 8);
}

struct pss_levels figures_pss(const struct tree *t, const struct figures *f)
{
	const struct rollup *r = &f->rollup;
	/* A fork shares all that its parent has, until one of them writes. */
	bool carried = rollup_taken(r) || f->inherited_pages > 0;
	int64_t change = f->rss - r->rss;
	int64_t most = rollup_taken(r) ? r->pss + 1024 : r->rss;       /* it is told in whole KiB, rounded down */
	struct pss_levels p = { .pss = carried ? r->pss + change : figures_private(f) };

	p.pss = !f->has_pss || p.pss < 0 ? 0 : p.pss < f->rss ? p.pss : f->rss;
	p.moved = (figures_faults(f) - (int64_t)r->faults) * huge_page_bytes(t) + (change < 0 ? -change : change);
	p.most = most + p.moved < f->rss ? most + p.moved : f->rss;
	p.file = r->file_pss > p.moved ? r->file_pss - p.moved : 0;
	return p;
}

void member_take_pss(struct tree *t, struct member *m, struct figures *now)
{
	now->has_pss = t->pss_policy != PSS_NEVER && !m->denied_pss;
	now->unreadable = m->denied_io || m->denied_pss;
	family_count(t, m, now);
}

/* It leaves: its share of what it had and has may be others' by now. */
static void part(struct tree *t, const struct member *m)
{
	struct pss_levels p = figures_pss(t, &m->figures);

	t->pss_parted += (uint64_t)(p.most + p.moved);
}

/* Private memory that neither its faults nor huge pages explain, in pages: fork gave it. */
static int64_t unexplained_pages(struct tree *t, const struct figures *now)
{
	enum { LITTLE = 64 * MIB };
	int64_t page = t->src->page_bytes;
	int64_t bytes = figures_private(now) - figures_faults(now) * page;
	uint64_t huge_kib;

	if (bytes <= LITTLE)
		return 0;
	if (text_read_at(&t->text, t->src->proc, "meminfo") < 0)
		return bytes / page;
	if (proc_parse_huge(&huge_kib, t->text.at, t->text.len) == 0)
		bytes -= (int64_t)huge_kib * 1024;
	return bytes > 0 ? bytes / page : 0;
}

void member_found_pss(struct tree *t, struct member *m, struct figures *now)
{
	int64_t private = figures_private(now);
	bool forked = m->family && m->family->members > 1;

	if (m->reads > 0)
		part(t, m);
	m->ran = true;
	now->inherited_pages = forked ? private / t->src->page_bytes : m->fresh ? 0 : unexplained_pages(t, now);
	now->rollup = (struct rollup){
		.read_ns = t->now_ns, .pss = forked ? 0 : private, .rss = now->rss,
		.faults = (uint64_t)figures_faults(now), .parted = t->pss_parted, .mapped = t->pss_mapped,
	};
}

void member_drop_pss(struct tree *t, struct member *m)
{
	part(t, m);
	family_leave(t, m);
}

struct pss_bounds tree_pss_bounds(struct tree *t, const int64_t level[LEVELS])
{
	double parted = (double)(t->pss_parted - t->pss_oldest_parted);
	double mapped = (double)(t->pss_mapped - t->pss_oldest_mapped);
	double upper = (double)level[PSS_MOST] + (double)level[PSS_MOVED] + parted;
	double file = (double)level[PSS_FILE] - mapped, rss = (double)level[RSS];
	struct pss_bounds b = { .lower = (double)families_least(t) + (file > 0 ? file : 0) };

	b.upper = upper < rss ? upper : rss;
	if (b.upper < b.lower)                          /* read while a process that shares was ending */
		b.upper = b.lower;
	return b;
}
