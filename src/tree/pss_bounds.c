/*
 * pss_bounds.c - PSS between its readings: the value as it is carried, and what it is at least and at most.
 *
 * The bounds hold for the sum over the tree and contain the truth at any time, however old the readings
 * are; what they take for granted is that processes outside the tree share as much of its files as they
 * did at the readings, and that the kernel merges no equal pages (KSM).
 */
#include "state.h"

enum { MIB = 1024 * 1024 };

static int64_t pss_carried(const struct member *m, int64_t rss, int64_t shared)
{
	const struct rollup *r = &m->rollup;
	/* A fork shares all that its parent has, until one of them writes. */
	bool carried = m->has_rollup || m->inherited_pages > 0;
	int64_t pss = carried ? r->pss + rss - r->rss : rss - shared;

	return pss < 0 ? 0 : pss < rss ? pss : rss;
}

/* A table of page table entries covers what one huge page covers. */
static int64_t huge_page_bytes(const struct tree *t)
{
	return t->src->page_bytes * (t->src->page_bytes / 8);
}

static int64_t moved_since(const struct tree *t, const struct rollup *r, const struct figures *now)
{
	int64_t change = now->level[RSS] - r->rss;

	return (figures_faults(now) - (int64_t)r->faults) * huge_page_bytes(t) + (change < 0 ? -change : change);
}

void member_take_pss(struct tree *t, struct member *m, struct figures *now)
{
	const struct rollup *r = &m->rollup;
	int64_t rss = now->level[RSS], moved = moved_since(t, r, now);

	now->level[HAS_PSS] = t->pss_policy != PSS_NEVER && !m->denied_pss;
	now->level[PSS] = now->level[HAS_PSS] ? pss_carried(m, rss, now->level[SHARED]) : 0;
	now->level[UNREADABLE] = m->denied_io || m->denied_pss;
	now->level[PSS_MOVED] = moved;
	now->level[PSS_MOST] = r->most + moved < rss ? r->most + moved : rss;
	now->level[PSS_FILE] = r->file_pss > moved ? r->file_pss - moved : 0;
	family_count(t, m, now);
}

/* It leaves: its share of what it had and has may be others' by now. */
static void part(struct tree *t, const struct member *m)
{
	t->pss_parted += (uint64_t)(m->figures.level[PSS_MOST] + m->figures.level[PSS_MOVED]);
}

/* Private memory that neither its faults nor huge pages explain, in pages: fork gave it. */
static int64_t unexplained_pages(struct tree *t, const struct figures *now)
{
	enum { LITTLE = 64 * MIB };
	int64_t page = t->src->page_bytes;
	int64_t bytes = now->level[RSS] - now->level[SHARED] - figures_faults(now) * page;
	uint64_t huge_kib;

	if (bytes <= LITTLE)
		return 0;
	if (text_read_at(&t->text, t->src->proc, "meminfo") < 0)
		return bytes / page;
	if (proc_parse_huge(&huge_kib, t->text.at, t->text.len) == 0)
		bytes -= (int64_t)huge_kib * 1024;
	return bytes > 0 ? bytes / page : 0;
}

void member_found_pss(struct tree *t, struct member *m, const struct figures *now)
{
	int64_t rss = now->level[RSS], private = rss - now->level[SHARED];
	bool forked = m->family && m->family->members > 1;

	if (m->reads > 0)
		part(t, m);
	m->has_rollup = false;
	m->inherited_pages = forked ? private / t->src->page_bytes : m->fresh ? 0 : unexplained_pages(t, now);
	m->rollup = (struct rollup){
		.read_ns = t->now_ns, .clock_ns = m->clock_ns, .pss = forked ? 0 : private, .rss = rss, .most = rss,
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
