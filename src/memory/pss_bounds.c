/*
 * pss_bounds.c - PSS between its readings: the carried value, its lower and its upper bound.
 *
 * The bounds hold for the sum over the tree and contain the truth at any time, however old the readings are.  They
 * assume that processes outside the tree share as much of its files as at the readings, and that the kernel merges no
 * equal pages (KSM).
 */
#include "memory_state.h"

#include "../members/member_files.h"

enum { MIB = 1024 * 1024 };

void memory_take(struct memory *mem, struct member *m, struct figures *now)
{
	now->has_pss = now->has_memory && mem->policy != PSS_NEVER && !m->memory.denied;
	now->shares = m->memory.fork_group && m->memory.fork_group->members > 1;
	now->unreadable = m->denied_io || m->memory.denied;
	fork_group_count(mem, m, now);
}

/* The member leaves: its share of its past and present memory may belong to others now. */
static void part(struct memory *mem, const struct member *m)
{
	struct pss_levels p = figures_pss(mem->tracked, &m->figures);

	int64_t most = p.most + p.moved, small = p.small + huge_most(mem->tracked, p.faults);

	mem->parted += (uint64_t)((most < small ? most : small) + m->memory.lent);
}

/*
 * The member forked, and at the visit before it had all of its memory for itself.  The value is that memory plus its
 * gains since.  It is not the present memory: pages that it released meanwhile may be its child's.
 */
static void begin_to_share(struct memory *mem, struct member *m)
{
	struct tracked *t = mem->tracked;
	struct figures now = m->figures;
	struct pss_levels p = figures_pss(t, &now);
	bool visited = m->pass == t->pass;

	now.rollup.rss = now.rollup.most = visited ? m->memory.alone_rss : now.rss;
	now.rollup.faults = now.rollup.faults_after = visited ? m->memory.alone_faults : (uint64_t)figures_faults(&now);
	now.rollup.file_pss = p.file;
	now.shares = true;
	now.rollup.pss = p.pss - figures_gained(t, &now, figures_faults(&now) - (int64_t)now.rollup.faults);
	accounts_set(mem->accounts, m, &now);
}

/*
 * The parent had a share of a file page that others map too.  With each child the fork group has a larger share, all of
 * it in the end.  Counted once after each reading.
 */
static void files_count_again(struct memory *mem, struct member *parent)
{
	struct fork_group *f = parent->memory.fork_group;
	int64_t share = figures_pss(mem->tracked, &parent->figures).file;

	if (f->whole_files_pass == f->read_pass)
		return;
	f->whole_files_pass = f->read_pass;
	mem->parted += parent->figures.shared > share ? (uint64_t)(parent->figures.shared - share) : 0;
}

/*
 * Whether a new member got all of its memory from its parent at fork, so that it is within the parent's bounds.  Not if
 * a reading may have been taken after the fork and before the member was found.
 */
static bool is_lent(struct memory *mem, struct member *m, const struct figures *now)
{
	const struct fork_group *f = m->memory.fork_group;
	struct tracked *t = mem->tracked;
	struct member *parent = m->reads == 0 ? members_find(&t->members, m->parent) : NULL;

	/* The parent's memory before it was found is unknown. */
	if (!parent || parent == m || parent->memory.fork_group != f || parent->reads == 0 || f->outside ||
	    parent->memory.found_pass == t->pass)
		return false;
	if (f->read_pass + 1 >= t->pass && (int64_t)m->forked_ns <= f->read_ns)
		return false;
	parent->memory.lent += now->rss;
	if (!parent->figures.shares && (parent->pass != t->pass || parent->memory.alone_rss > 0))
		begin_to_share(mem, parent);
	else
		files_count_again(mem, parent);
	return true;
}

/* A fork copies no mappings of files: a child maps its parent's pages again, which is not a gain of the fork group. */
static int64_t files_anew(const struct tracked *t, const struct member *m, const struct figures *now)
{
	const struct member *parent = m->reads == 0 ? members_find(&t->members, m->parent) : NULL;

	if (!parent || parent == m || parent->memory.fork_group != m->memory.fork_group ||
	    parent->figures.shared <= now->shared)
		return 0;
	return parent->figures.shared - now->shared;
}

/* Private memory, in pages, that neither its faults nor huge pages explain: fork copied it. */
static int64_t unexplained_pages(struct tracked *t, const struct figures *now)
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

void memory_found(struct memory *mem, struct member *m, struct figures *now)
{
	struct tracked *t = mem->tracked;
	int64_t private = figures_private(now);
	bool forked = m->memory.fork_group && m->memory.fork_group->members > 1;

	if (m->reads > 0)
		part(mem, m);
	m->memory.found_pass = t->pass;
	m->memory.ran = true;
	now->inherited_pages = forked ? private / t->src->page_bytes : m->fresh ? 0 : unexplained_pages(t, now);
	now->rollup = (struct rollup){
		.read_ns = t->now_ns, .pss = forked ? 0 : private, .rss = now->rss,
		.shared = forked && m->reads == 0 ? 0 : now->shared, .anew = forked ? files_anew(t, m, now) : 0,
		.most = forked && is_lent(mem, m, now) ? 0 : now->rss,
		/* A forked member has all of its faults from after the fork, and they map files again. */
		.faults = forked && m->reads == 0 ? 0 : (uint64_t)figures_faults(now),
		.parted = mem->parted, .mapped = mem->mapped,
	};
	now->rollup.faults_after = now->rollup.faults;
}

void memory_join(struct memory *mem, struct member *m, uint64_t stack, struct figures *now)
{
	bool first = m->reads == 0;

	if (fork_group_enter(mem, m, stack) && !first)  /* another program: other memory */
		memory_found(mem, m, now);
}

/* The values of the last visit, if the member shared its memory with no process then. */
void memory_new_pass(struct member *m)
{
	const struct fork_group *f = m->memory.fork_group;

	m->memory.alone_rss = f && f->members == 1 && !f->outside ? m->figures.rss : 0;
	m->memory.alone_faults = (uint64_t)figures_faults(&m->figures);
}

void memory_renamed(struct member *m, bool is_zombie)
{
	/* A living process shows an exec by another stack; a zombie has no stack. */
	m->memory.renewed |= m->memory.fork_group && is_zombie;
	m->memory.denied = false;
	m->memory.peak_rss = m->memory.peak_before = 0;
}

void memory_visited(struct tracked *t, struct member *m, bool ran)
{
	m->memory.ran |= ran;
	m->memory.due = !m->shares_mm;
	members_set_due(&t->members, m);
}

void memory_is_due(struct tracked *t, struct member *m)
{
	m->memory.due = true;
	members_set_due(&t->members, m);
}

bool memory_has_due(const struct member *m)
{
	return m->memory.due;
}

void memory_set_tables(struct member *m, uint64_t pages)
{
	m->memory.table_pages = (uint32_t)pages;
}

static bool is_shared(const struct member *m, int64_t bytes)
{
	return m->memory.fork_group && m->memory.fork_group->members > 1 && bytes > MIB;
}

static struct member *relative_of(const struct tracked *t, const struct member *m)
{
	for (size_t i = 0; i < t->members.n; i++) {
		struct member *o = t->members.order[i];

		if (o != m && !o->gone && o->memory.fork_group == m->memory.fork_group && o->figures.has_pss)
			return o;
	}
	return NULL;
}

/* The memory that it shared still exists: another member of its fork group carries it. */
static void hand_on(struct memory *mem, const struct member *m)
{
	const struct rollup *r = &m->figures.rollup;
	int64_t shared = rollup_taken(r) ? r->pss - r->uss : r->pss;
	struct member *o = is_shared(m, shared) ? relative_of(mem->tracked, m) : NULL;

	if (!o)
		return;

	struct figures now = o->figures;

	now.rollup.pss += shared;
	accounts_set(mem->accounts, o, &now);
}

void memory_leave(struct memory *mem, struct member *m)
{
	part(mem, m);
	hand_on(mem, m);
	fork_group_leave(mem, m);
}

struct pss_bounds { double lower, upper; };

static struct pss_bounds bounds_of(struct memory *mem, const int64_t level[LEVELS])
{
	double parted = (double)(mem->parted - mem->oldest_parted);
	double mapped = (double)(mem->mapped - mem->oldest_mapped);
	double upper = (double)level[PSS_MOST] + (double)level[PSS_MOVED] + parted;
	double small = (double)level[PSS_SMALL] + (double)huge_most(mem->tracked, level[PSS_FAULTS]) + parted;
	double file = (double)level[PSS_FILE] - mapped, rss = (double)level[RSS];
	struct pss_bounds b = { .lower = (double)fork_groups_least(mem) + (file > 0 ? file : 0) };

	b.upper = double_min(double_min(upper, small), rss);
	if (b.upper < b.lower)                          /* read while a process that shares it was exiting */
		b.upper = b.lower;
	return b;
}

void memory_report(struct memory *mem, struct totals *out, const int64_t level[LEVELS])
{
	double *pss = &out->process_pss_bytes;

	if (level[HAS_PSS] > 0) {
		*pss = (double)level[PSS];
		out->process_uss_bytes = (double)level[USS];
		out->process_pss_age_seconds = (double)(mem->tracked->now_ns - mem->oldest_ns) / 1e9;
	}
	if (level[HAS_MEMORY] == 0)
		return;

	struct pss_bounds b = bounds_of(mem, level);

	out->process_pss_lower_bytes = b.lower;
	out->process_pss_upper_bytes = b.upper;
	if (level[UNREADABLE] == 0 && !is_none(*pss))
		*pss = *pss < b.lower ? b.lower : *pss > b.upper ? b.upper : *pss;
	/* It may be anywhere between the bounds: a value would be a guess.  0 cannot be true beside RSS. */
	if ((b.upper - b.lower > b.upper / 4 && b.upper - b.lower > 16 << 20) || (*pss == 0 && level[RSS] > 0))
		*pss = NONE;
}
