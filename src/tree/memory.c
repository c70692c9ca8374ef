/*
 * memory.c - PSS, read within its budget: first what is new, then what changed most.
 *
 * A family is read as a whole or not at all: a reading of one tells its share of what all have, and the others'
 * were told before the fork.  It is read only where its bounds say little, for a fork changes nothing of what it
 * has in all.
 */
#include "state.h"

#include <string.h>
#include <time.h>

enum {
	PICKS = 8,                              /* readings of known members in one pass */
	MIB = 1024 * 1024,
	WIDE_DIVISOR = 20,                      /* bounds of 5 % are narrow enough */
};

/*
 * What a reading walks through: every page of files, and private pages as far as they were faulted in
 * one by one.  VmPTE does not tell: the kernel keeps a table ready under each huge page.
 */
static struct pss_size size_of(const struct tree *t, const struct member *m)
{
	int64_t page = t->src->page_bytes, private = figures_private(&m->figures) / page;
	int64_t faulted = figures_faults(&m->figures) + m->figures.inherited_pages;

	return (struct pss_size){
		.pages = m->figures.shared / page + (faulted < private ? faulted : private),
		.tables = m->table_pages, .factor = (double)m->figures.rollup.factor,
	};
}

/*
 * What a process mapped of files, or left, since it was visited in this pass: who was read before that had a
 * larger share of it, or a smaller one.
 */
static void count_drift(struct tree *t, int64_t mapped, int64_t left)
{
	t->memory.drift.mapped += mapped > 0 ? (uint64_t)mapped : 0;
	t->memory.drift.parted += left > 0 ? (uint64_t)left : 0;
}

static void take_rollup(struct tree *t, struct member *m, const struct proc_rollup *p, struct figures *now,
			uint64_t faults_after, int64_t took_ns)
{
	struct pss_levels before = figures_pss(t, &m->figures);
	struct pss_size size = size_of(t, m);
	int64_t file = (int64_t)p->file_pss_bytes, left = now->rss - (int64_t)p->rss_bytes;
	int64_t mapped = p->has_parts ? (int64_t)p->rss_bytes - (int64_t)p->anonymous_bytes - now->shared : 0;

	count_drift(t, mapped, left);
	t->memory.parted += (uint64_t)pss_given_away(t, &m->figures);
	t->memory.mapped += file > before.file ? (uint64_t)(file - before.file) : 0;
	m->denied_pss = false;
	m->lent = 0;                            /* its children are read as well */
	if (m->family) {
		m->family->read_pass = t->pass;
		m->family->read_ns = t->src->monotonic_ns(t->src->clock);
	}
	now->rollup = (struct rollup){
		.pss = (int64_t)p->pss_bytes, .rss = (int64_t)p->rss_bytes, .uss = (int64_t)p->uss_bytes,
		.shared = now->shared, .most = (int64_t)p->pss_bytes + 1024,    /* told in whole KiB, rounded down */
		.vouched = (int64_t)p->anonymous_pss_bytes - (int64_t)p->anonymous_bytes,
		.file_pss = file, .faults = (uint64_t)figures_faults(now), .faults_after = faults_after,
		.epoch = p->has_parts && m->family ? m->family->epoch : 0, .factor = (float)pss_factor(&size, took_ns),
	};
}

/* Our own CPU time: on a busy machine most of the time that goes by is others', and no budget of ours. */
static int64_t used_ns(const struct tree *t)
{
	struct timespec now;

	if (!t->src->live || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) < 0)
		return t->src->monotonic_ns(t->src->clock);
	return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/*
 * Who writes to what is shared goes on while it is read.  What it wrote before it was over is in the reading, and was
 * not at the visit: to carry the value from there would count it twice.
 */
static uint64_t faults_now(struct tree *t, const struct member *m)
{
	struct proc_stat stat;
	char path[PROC_PATH];

	proc_path(path, m->pid, 0, "stat");
	if (!m->figures.shares || text_read_at(&t->text, t->src->proc, path) < 0 ||
	    proc_parse_stat(&stat, t->text.at, t->text.len) < 0)
		return (uint64_t)figures_faults(&m->figures);
	return stat.minor_faults + stat.major_faults;
}

/* A descriptor of smaps_rollup belongs to the memory at its opening and dies at exec: not kept. */
static void read_rollup(struct tree *t, struct member *m)
{
	struct figures now = m->figures;
	struct proc_rollup p;
	char path[PROC_PATH];
	int64_t began = used_ns(t);

	proc_path(path, m->pid, m->figures.speaker, "smaps_rollup");

	int r = text_read_at(&t->text, t->src->proc, path);
	int64_t took_ns = used_ns(t) - began;

	pss_budget_spend(&t->memory.budget, took_ns);
	if (r == -EACCES || r == -EPERM || r == -ENOENT) {
		m->denied_pss = true;
		if (r != -ENOENT && !member_is_ending(t, m))
			notices_add_denied(&t->notices, &t->noticed.pss, "PSS", m->pid, m->comm);
	} else if (r == 0 && proc_parse_rollup(&p, t->text.at, t->text.len) == 0) {
		take_rollup(t, m, &p, &now, faults_now(t, m), took_ns);
	}
	m->pss_due = false;
	t->memory.changed = true;
	m->ran = false;
	now.rollup.read_ns = t->now_ns;
	member_take_pss(t, m, &now);
	member_set(t, m, &now);
}

/* Between what are its PSS now, whoever shares with it, and its RSS. */
static int64_t uncertain(const struct tree *t, const struct member *m)
{
	const struct family *f = m->family;
	int64_t lower = f && f->members == 1 && !f->outside ? figures_private(&m->figures) : m->credit;

	return figures_pss(t, &m->figures).most - lower;
}

/* How much a new reading is worth, in bytes that the carried value may be wrong by; 0: nothing. */
static int64_t worth(const struct tree *t, const struct member *m)
{
	enum { STALE_SECONDS = 30, OLD_SECONDS = 300 };
	const struct rollup *r = &m->figures.rollup;
	int64_t rss = m->figures.rss, change = rss - r->rss, most = uncertain(t, m);
	int64_t age = (t->now_ns - r->read_ns) / NS_PER_SECOND;

	change = change < 0 ? -change : change;
	change = change < most ? change : most;
	if (change > MIB && change > rss / 100)
		return change + 1;
	if (change > rss / 20 || (age >= STALE_SECONDS && m->ran) || age >= OLD_SECONDS)
		return rss / 100 + 1;
	return 0;
}

static bool asleep(const struct tree *t, const struct member *m)
{
	return t->clocks && m->pass != t->pass;
}

static void tell_dear(struct tree *t, const struct member *m, int64_t expected_ns)
{
	notices_add(&t->notices, &t->noticed.long_reading, "reading the PSS of %s (pid %d) would hold up its memory calls for %.0f ms: it is "
		  "carried, and known to within %.0f MiB", m->comm, (int)m->pid, (double)expected_ns / 1e6,
		  (double)uncertain(t, m) / MIB);
}

static void read_if_allowed(struct tree *t, struct member *m)
{
	struct pss_size size = size_of(t, m);
	int64_t expected_ns = pss_expected_ns(&size);
	bool sleeps = asleep(t, m);

	/* A dear reading must tell more than is known without it. */
	if (expected_ns > PSS_READ_NS && uncertain(t, m) <= m->figures.rss / WIDE_DIVISOR)
		return;
	if (pss_budget_allows(&t->memory.budget, expected_ns, sleeps))
		read_rollup(t, m);
	else if (expected_ns > (sleeps ? PSS_SLEEP_NS : PSS_READ_NS))
		tell_dear(t, m, expected_ns);
}

/* ---- families ------------------------------------------------------------------------------ */

/* It is read with its family, and not by itself. */
static bool is_of_many(const struct member *m)
{
	return m->family && m->family->members > 1 && !m->borrows && !m->denied_pss;
}

struct family_look {
	int64_t upper, rss, files, mapped;      /* files: what they hold of them, less what was mapped since */
	int64_t expected_ns;                    /* of reading all */
	int64_t dearest_ns;                     /* of the dearest that may not be held up for so long; 0: none */
	bool grows;
};

/* In one sweep: families with several members are few. */
static struct family_look look_at_family(const struct tree *t, const struct family *f)
{
	struct family_look look = { 0 };

	for (size_t i = 0; i < t->members.n; i++) {
		const struct member *m = t->members.order[i];

		if (m->family != f || m->gone)
			continue;

		struct pss_levels p = figures_pss(t, &m->figures);
		struct pss_size size = size_of(t, m);
		int64_t expected_ns = pss_expected_ns(&size);

		int64_t mapped = (int64_t)(t->memory.mapped - m->figures.rollup.mapped);

		look.upper += p.small;
		look.files += p.file;
		look.mapped = mapped > look.mapped ? mapped : look.mapped;
		look.rss += m->figures.rss;
		look.expected_ns += expected_ns;
		if (expected_ns > (asleep(t, m) ? PSS_SLEEP_NS : PSS_READ_NS) && expected_ns > look.dearest_ns)
			look.dearest_ns = expected_ns;
		look.grows |= m->found_pass == t->pass;
	}
	look.upper = look.upper < look.rss ? look.upper : look.rss;
	look.files = look.files > look.mapped ? look.files - look.mapped : 0;
	return look;
}

static void read_family(struct tree *t, struct family *f)
{
	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];

		if (m->family == f && !m->gone && !m->borrows)
			read_rollup(t, m);
	}
}

/* It is being forked, and what there is would not do for reading it now and again when it is whole. */
static bool is_too_early(struct tree *t, struct family *f, const struct family_look *look)
{
	bool grew = f->grew_pass + 1 == t->pass;

	if (!look->grows || 2 * look->expected_ns <= t->memory.budget.saved_ns)
		return false;
	f->grew_pass = t->pass;
	return !grew;
}

static int64_t family_holds(const struct family *f)
{
	return f->credit > f->largest ? f->credit : f->largest;
}

static void judge_family(struct tree *t, struct member *m)
{
	struct family *f = m->family;

	m->pss_due = false;
	if (f->judged_pass == t->pass)
		return;
	f->judged_pass = t->pass;

	struct family_look look = look_at_family(t, f);
	int64_t width = look.upper - look.files - (f->outside ? 0 : family_holds(f));

	if (width < MIB || width < look.upper / WIDE_DIVISOR)
		return;
	if (look.dearest_ns == 0 && !is_too_early(t, f, &look) &&
	    pss_budget_allows(&t->memory.budget, look.expected_ns, true)) {
		read_family(t, f);
		return;
	}
	/* When so much is saved, or who runs sleeps, be it that none of them runs till then. */
	m->pss_due = look.expected_ns <= PSS_SLEEP_NS;
	if (look.dearest_ns > 0)
		tell_dear(t, m, look.dearest_ns);
}

static void judge_families(struct tree *t)
{
	for (size_t i = 0; i < t->members.n_dear; i++) {
		struct member *m = t->members.dear[i];

		if (m->pss_due && is_of_many(m) && m->figures.has_memory)
			judge_family(t, m);
	}
}

/* ---- one by one ---------------------------------------------------------------------------- */

static void read_most_changed(struct tree *t)
{
	struct { struct member *member; int64_t worth; } pick[PICKS + 1];
	size_t n = 0;

	for (size_t i = 0; i < t->members.n_dear; i++) {
		struct member *m = t->members.dear[i];
		int64_t value = m->pss_due && !is_of_many(m) ? worth(t, m) : 0;
		size_t at = n;

		if (value == 0 || (n == PICKS && value <= pick[n - 1].worth))
			continue;
		for (; at > 0 && pick[at - 1].worth < value; at--)
			pick[at] = pick[at - 1];
		pick[at].member = m;
		pick[at].worth = value;
		n = size_min(n + 1, PICKS);
	}
	for (size_t i = 0; i < n; i++)
		read_if_allowed(t, pick[i].member);
}

/* Those that ran and were never read, as far as the budget goes; their right is asked for again at times. */
static void read_new(struct tree *t)
{
	for (size_t i = 0; i < t->members.n_dear; i++) {
		struct member *m = t->members.dear[i];

		if (!m->figures.has_memory || (m->denied_pss && m->reads % 64 != 0))
			m->pss_due = false;
		else if (m->pss_due && !is_of_many(m) && (!rollup_taken(&m->figures.rollup) || m->denied_pss))
			read_if_allowed(t, m);
	}
}

/*
 * Readings of one pass are of one moment, unless one of those that were read has ended meanwhile: those
 * read after that had its share already.
 */
static void look_for_ended(struct tree *t)
{
	struct proc_statm statm;

	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];

		const struct rollup *r = &m->figures.rollup;

		if (r->read_ns != t->now_ns || !rollup_taken(r) || !m->family || m->family->members == 1)
			continue;
		if (member_text(t, m, FILE_STATM) == 0 && proc_parse_statm(&statm, t->text.at, t->text.len) == 0 &&
		    statm.resident > 0)
			continue;
		family_void_credit(t, m->family);
		t->memory.mapped += (uint64_t)figures_pss(t, &m->figures).file;
	}
}

static void find_oldest(struct tree *t)
{
	t->memory.parted += t->memory.drift.parted;
	t->memory.mapped += t->memory.drift.mapped;
	t->memory.oldest_ns = t->now_ns;
	t->memory.oldest_parted = t->memory.parted;
	t->memory.oldest_mapped = t->memory.mapped;
	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];
		struct rollup *r = &m->figures.rollup;

		if (r->read_ns == t->now_ns) {          /* readings of one pass are of one moment, but for the drift */
			r->parted = t->memory.parted - t->memory.drift.parted;
			r->mapped = t->memory.mapped - t->memory.drift.mapped;
		}
		if (m->figures.has_pss && r->read_ns < t->memory.oldest_ns)
			t->memory.oldest_ns = r->read_ns;
		if (r->parted < t->memory.oldest_parted)
			t->memory.oldest_parted = r->parted;
		if (r->mapped < t->memory.oldest_mapped)
			t->memory.oldest_mapped = r->mapped;
	}
	t->memory.changed = false;
}

void tree_read_pss(struct tree *t)
{
	if (t->memory.policy == PSS_NEVER)
		return;
	t->memory.drift.mapped = t->memory.drift.parted = 0;
	pss_budget_fill(&t->memory.budget, t->now_ns, t->slowdown);
	if (t->memory.policy == PSS_ALWAYS) {
		for (size_t i = 0; i < t->members.n; i++)
			if (t->members.order[i]->figures.has_memory)
				read_rollup(t, t->members.order[i]);
	} else {
		judge_families(t);
		read_new(t);
		read_most_changed(t);
	}
	if (t->memory.changed) {
		find_oldest(t);
		look_for_ended(t);
	}
}
