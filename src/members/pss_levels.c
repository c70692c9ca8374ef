/* pss_levels.c - the PSS of a member between two readings: the carried value, and its bounds. */
#include "pss_levels.h"

enum { FAULT_AROUND = 16 };

/* One page of page table entries covers one huge page. */
static int64_t huge_page_bytes(const struct tracked *t)
{
	return t->src->page_bytes * (t->src->page_bytes / 8);
}

/*
 * The memory that a fork group gained by this member.  A write to a shared page causes a fault and adds a page, which
 * RSS does not show.  One fault maps up to 16 pages of files (fault_around_bytes), and pages that its parent has are no
 * gain.
 */
int64_t figures_gained(const struct tracked *t, const struct figures *f, int64_t faults)
{
	int64_t change = f->rss - f->rollup.rss, mapped = f->shared - f->rollup.shared;
	int64_t written = faults * t->src->page_bytes - (mapped > 0 ? mapped / FAULT_AROUND : 0);

	if (change > 0)
		change -= change < f->rollup.anew ? change : f->rollup.anew;
	return f->shares && written > change ? written : change;
}

/* Upper bound of the huge pages that so many faults brought in: no more than the machine has. */
int64_t huge_most(const struct tracked *t, int64_t faults)
{
	int64_t bytes = faults * huge_page_bytes(t);

	return t->huge_bytes >= 0 && t->huge_bytes < bytes ? t->huge_bytes : bytes;
}

int64_t pss_given_away(const struct tracked *t, const struct figures *f)
{
	struct pss_levels p = figures_pss(t, f);
	int64_t small = p.small_moved + huge_most(t, p.faults);

	return p.moved < small ? p.moved : small;
}

struct pss_levels figures_pss(const struct tracked *t, const struct figures *f)
{
	const struct rollup *r = &f->rollup;
	/* After a fork all memory is shared, until one of the processes writes. */
	bool carried = rollup_taken(r) || f->inherited_pages > 0 || f->shares;
	int64_t change = f->rss - r->rss, away = change < 0 ? -change : change;
	int64_t faults = figures_faults(f) - (int64_t)r->faults;
	int64_t since = figures_faults(f) - (int64_t)r->faults_after;
	struct pss_levels p = {
		.pss = carried ? r->pss + figures_gained(t, f, since > 0 ? since : 0) : figures_private(f),
	};

	p.pss = !f->has_pss || p.pss < 0 ? 0 : p.pss < f->rss ? p.pss : f->rss;
	p.faults = faults;
	p.moved = faults * huge_page_bytes(t) + away;
	p.most = r->most + p.moved < f->rss ? r->most + p.moved : f->rss;
	p.small_moved = faults * t->src->page_bytes + away;
	/* Pages that come without a fault (mlock, MAP_POPULATE) show in RSS. */
	p.small = r->most + (faults * t->src->page_bytes > change ? faults * t->src->page_bytes : change);

	int64_t small = p.small_moved + huge_most(t, faults), gone = p.moved < small ? p.moved : small;

	p.file = r->file_pss > gone ? r->file_pss - gone : 0;
	return p;
}
