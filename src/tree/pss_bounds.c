/*
 * pss_bounds.c - PSS between its readings: the value as it is carried, and what it is at least and at most.
 *
 * The bounds hold for the sum over the tree and contain the truth at any time, however old the readings
 * are; what they take for granted is that processes outside the tree share as much of its files as they
 * did at the readings, and that the kernel merges no equal pages (KSM).
 */
#include "state.h"

enum { MIB = 1024 * 1024, FAULT_AROUND = 16 };

/* A table of page table entries covers what one huge page covers. */
static int64_t huge_page_bytes(const struct tree *t)
{
	return t->src->page_bytes * (t->src->page_bytes / 8);
}

/*
 * What a family gained by this member.  Who writes to a page that is shared has a fault and a page more, which RSS does
 * not tell.  Pages of files are mapped up to 16 by one fault (fault_around_bytes), and those that its parent has are no
 * gain.
 */
static int64_t gained_value(const struct tree *t, const struct figures *f, int64_t faults)
{
	int64_t change = f->rss - f->rollup.rss, mapped = f->shared - f->rollup.shared;
	int64_t written = faults * t->src->page_bytes - (mapped > 0 ? mapped / FAULT_AROUND : 0);

	if (change > 0)
		change -= change < f->rollup.anew ? change : f->rollup.anew;
	return f->shares && written > change ? written : change;
}

/* What so many faults can have brought in huge pages: no more than there is of them on the machine. */
static int64_t huge_most(const struct tree *t, int64_t faults)
{
	int64_t bytes = faults * huge_page_bytes(t);

	return t->memory.huge_bytes >= 0 && t->memory.huge_bytes < bytes ? t->memory.huge_bytes : bytes;
}

int64_t pss_given_away(const struct tree *t, const struct figures *f)
{
	struct pss_levels p = figures_pss(t, f);
	int64_t small = p.small_moved + huge_most(t, p.faults);

	return p.moved < small ? p.moved : small;
}

struct pss_levels figures_pss(const struct tree *t, const struct figures *f)
{
	const struct rollup *r = &f->rollup;
	/* A fork shares all that its parent has, until one of them writes. */
	bool carried = rollup_taken(r) || f->inherited_pages > 0 || f->shares;
	int64_t change = f->rss - r->rss, away = change < 0 ? -change : change;
	int64_t faults = figures_faults(f) - (int64_t)r->faults;
	int64_t since = figures_faults(f) - (int64_t)r->faults_after;
	struct pss_levels p = {
		.pss = carried ? r->pss + gained_value(t, f, since > 0 ? since : 0) : figures_private(f),
	};

	p.pss = !f->has_pss || p.pss < 0 ? 0 : p.pss < f->rss ? p.pss : f->rss;
	p.faults = faults;
	p.moved = faults * huge_page_bytes(t) + away;
	p.most = r->most + p.moved < f->rss ? r->most + p.moved : f->rss;
	p.small_moved = faults * t->src->page_bytes + away;
	/* What comes without a fault (mlock, MAP_POPULATE) shows in RSS. */
	p.small = r->most + (faults * t->src->page_bytes > change ? faults * t->src->page_bytes : change);

	int64_t small = p.small_moved + huge_most(t, faults), gone = p.moved < small ? p.moved : small;

	p.file = r->file_pss > gone ? r->file_pss - gone : 0;
	return p;
}

void member_take_pss(struct tree *t, struct member *m, struct figures *now)
{
	now->has_pss = now->has_memory && t->memory.policy != PSS_NEVER && !m->denied_pss;
	now->shares = m->family && m->family->members > 1;
	now->unreadable = m->denied_io || m->denied_pss;
	family_count(t, m, now);
}

/* It leaves: its share of what it had and has may be others' by now. */
static void part(struct tree *t, const struct member *m)
{
	struct pss_levels p = figures_pss(t, &m->figures);

	int64_t most = p.most + p.moved, small = p.small + huge_most(t, p.faults);

	t->memory.parted += (uint64_t)((most < small ? most : small) + m->lent);
}

/*
 * It forked, after it had all of its memory for itself at the visit before: that is what it had, and what it
 * gained since. Not what it has now: pages that it gave back meanwhile may be its child's.
 */
static void begin_to_share(struct tree *t, struct member *m)
{
	struct figures now = m->figures;
	struct pss_levels p = figures_pss(t, &now);
	bool visited = m->pass == t->pass;

	now.rollup.rss = now.rollup.most = visited ? m->alone_rss : now.rss;
	now.rollup.faults = now.rollup.faults_after = visited ? m->alone_faults : (uint64_t)figures_faults(&now);
	now.rollup.file_pss = p.file;
	now.shares = true;
	now.rollup.pss = p.pss - gained_value(t, &now, figures_faults(&now) - (int64_t)now.rollup.faults);
	member_set(t, m, &now);
}

/*
 * Of a file's page that others map as well the parent had a share, and with each child the family has more of it:
 * all in the end.  Once after each reading.
 */
static void files_count_again(struct tree *t, struct member *parent)
{
	struct family *f = parent->family;
	int64_t share = figures_pss(t, &parent->figures).file;

	if (f->whole_files_pass == f->read_pass)
		return;
	f->whole_files_pass = f->read_pass;
	t->memory.parted += parent->figures.shared > share ? (uint64_t)(parent->figures.shared - share) : 0;
}

/*
 * Whether all that a new member has was its parent's when it was forked, and so is in the parent's bounds.  Not if a
 * reading may have been taken after the fork, and before it was found.
 */
static bool is_lent(struct tree *t, struct member *m, const struct figures *now)
{
	struct member *parent = m->reads == 0 ? members_find(&t->members, m->parent) : NULL;
	uint32_t birth = births_find(&t->forks.births, m->pid);
	int64_t forked_ns = birth ? (int64_t)t->forks.births.at[birth].forked_ns : 0;

	/* What the parent had before it was found is not known. */
	if (!parent || parent == m || parent->family != m->family || parent->reads == 0 || m->family->outside ||
	    parent->found_pass == t->pass)
		return false;
	if (m->family->read_pass + 1 >= t->pass && forked_ns <= m->family->read_ns)
		return false;
	parent->lent += now->rss;
	if (!parent->figures.shares && (parent->pass != t->pass || parent->alone_rss > 0))
		begin_to_share(t, parent);
	else
		files_count_again(t, parent);
	return true;
}

/* A fork copies no mappings of files: a child maps anew what its parent has, and adds nothing to it by that. */
static int64_t files_anew(const struct tree *t, const struct member *m, const struct figures *now)
{
	const struct member *parent = m->reads == 0 ? members_find(&t->members, m->parent) : NULL;

	if (!parent || parent == m || parent->family != m->family || parent->figures.shared <= now->shared)
		return 0;
	return parent->figures.shared - now->shared;
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
	m->found_pass = t->pass;
	m->ran = true;
	now->inherited_pages = forked ? private / t->src->page_bytes : m->fresh ? 0 : unexplained_pages(t, now);
	now->rollup = (struct rollup){
		.read_ns = t->now_ns, .pss = forked ? 0 : private, .rss = now->rss,
		.shared = forked && m->reads == 0 ? 0 : now->shared, .anew = forked ? files_anew(t, m, now) : 0,
		.most = forked && is_lent(t, m, now) ? 0 : now->rss,
		/* All faults of one that was forked came after the fork, and those map files anew. */
		.faults = forked && m->reads == 0 ? 0 : (uint64_t)figures_faults(now),
		.parted = t->memory.parted, .mapped = t->memory.mapped,
	};
	now->rollup.faults_after = now->rollup.faults;
}

static bool is_shared(const struct member *m, int64_t bytes)
{
	return m->family && m->family->members > 1 && bytes > MIB;
}

static struct member *relative_of(const struct tree *t, const struct member *m)
{
	for (size_t i = 0; i < t->members.n; i++) {
		struct member *o = t->members.order[i];

		if (o != m && !o->gone && o->family == m->family && o->figures.has_pss)
			return o;
	}
	return NULL;
}

/* What it shared is still there: another of its family carries it on. */
static void hand_on(struct tree *t, const struct member *m)
{
	const struct rollup *r = &m->figures.rollup;
	int64_t shared = rollup_taken(r) ? r->pss - r->uss : r->pss;
	struct member *o = is_shared(m, shared) ? relative_of(t, m) : NULL;

	if (!o)
		return;

	struct figures now = o->figures;

	now.rollup.pss += shared;
	member_set(t, o, &now);
}

void member_drop_pss(struct tree *t, struct member *m)
{
	part(t, m);
	hand_on(t, m);
	family_leave(t, m);
}

struct pss_bounds tree_pss_bounds(struct tree *t, const int64_t level[LEVELS])
{
	double parted = (double)(t->memory.parted - t->memory.oldest_parted);
	double mapped = (double)(t->memory.mapped - t->memory.oldest_mapped);
	double upper = (double)level[PSS_MOST] + (double)level[PSS_MOVED] + parted;
	double small = (double)level[PSS_SMALL] + (double)huge_most(t, level[PSS_FAULTS]) + parted;
	double file = (double)level[PSS_FILE] - mapped, rss = (double)level[RSS];
	struct pss_bounds b = { .lower = (double)families_least(t) + (file > 0 ? file : 0) };

	b.upper = double_min(double_min(upper, small), rss);
	if (b.upper < b.lower)                          /* read while a process that shares was ending */
		b.upper = b.lower;
	return b;
}
