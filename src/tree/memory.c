/* memory.c - PSS, read within its budget: first what is new, then what changed most. */
#include "state.h"

#include <stdio.h>
#include <string.h>

enum {
	PICKS = 8,                              /* readings of known members in one pass */
	MIB = 1024 * 1024,
	WIDE_DIVISOR = 20,                      /* bounds of 5 % of RSS are narrow enough */
};

/*
 * What a reading walks through: every page of files, and private pages as far as they were faulted in
 * one by one.  VmPTE does not tell: the kernel keeps a table ready under each huge page.
 */
static struct pss_size size_of(const struct tree *t, const struct member *m)
{
	int64_t page = t->src->page_bytes, shared = m->figures.level[SHARED];
	int64_t private = (m->figures.level[RSS] - shared) / page;
	int64_t faulted = figures_faults(&m->figures) + m->inherited_pages;

	return (struct pss_size){
		.pages = shared / page + (faulted < private ? faulted : private),
		.tables = m->table_bytes / page, .factor = m->rollup.factor,
	};
}

static void take_rollup(struct tree *t, struct member *m, const struct proc_rollup *p, struct figures *now,
			int64_t took_ns)
{
	int64_t file = (int64_t)p->file_pss_bytes, before = m->figures.level[PSS_FILE];
	struct pss_size size = size_of(t, m);

	int64_t meanwhile = (int64_t)p->rss_bytes - now->level[RSS];

	t->pss_parted += (uint64_t)(now->level[PSS_MOVED] + (meanwhile < 0 ? -meanwhile : 0));
	t->pss_mapped += file > before ? (uint64_t)(file - before) : 0;
	m->has_rollup = true;
	m->denied_pss = false;
	m->rollup = (struct rollup){
		.pss = (int64_t)p->pss_bytes, .rss = (int64_t)p->rss_bytes,
		.most = (int64_t)p->pss_bytes + 1024,   /* it is told in whole KiB, rounded down */
		.anonymous_pss = (int64_t)p->anonymous_pss_bytes, .anonymous = (int64_t)p->anonymous_bytes,
		.file_pss = file, .faults = (uint64_t)figures_faults(now),
		.epoch = p->has_parts && m->family ? m->family->epoch : 0, .factor = pss_factor(&size, took_ns),
	};
	now->level[USS] = (int64_t)p->uss_bytes;
}

/* A descriptor of smaps_rollup belongs to the memory at its opening and dies at exec: not kept. */
static void read_rollup(struct tree *t, struct member *m)
{
	struct figures now = m->figures;
	struct proc_rollup p;
	char path[32];
	int64_t began = t->src->monotonic_ns(t->src->clock);

	(void)snprintf(path, sizeof path, "%d/smaps_rollup", (int)m->pid);

	int r = text_read_at(&t->text, t->src->proc, path);
	int64_t took_ns = t->src->monotonic_ns(t->src->clock) - began;

	pss_budget_spend(&t->pss_budget, took_ns);
	if (r == -EACCES || r == -EPERM || r == -ENOENT) {
		m->denied_pss = true;
		if (r != -ENOENT)
			tree_tell_denied(t, &t->told_pss, "PSS", m);
	} else if (r == 0 && proc_parse_rollup(&p, t->text.at, t->text.len) == 0) {
		take_rollup(t, m, &p, &now, took_ns);
	}
	m->pss_due = false;
	t->pss_changed = true;
	m->rollup.read_ns = t->now_ns;
	m->rollup.clock_ns = m->clock_ns;
	member_take_pss(t, m, &now);
	member_set(t, m, &now);
}

/* Between what are its PSS now, whoever shares with it, and its RSS. */
static int64_t uncertain(const struct member *m)
{
	const struct family *f = m->family;
	int64_t lower = f && f->members == 1 && !f->outside ? m->anonymous : m->credit;

	return m->figures.level[PSS_MOST] - lower;
}

/* How much a new reading is worth, in bytes that the carried value may be wrong by; 0: nothing. */
static int64_t worth(const struct tree *t, const struct member *m)
{
	enum { STALE_SECONDS = 30, OLD_SECONDS = 300 };
	const struct rollup *r = &m->rollup;
	int64_t rss = m->figures.level[RSS], change = rss - r->rss, most = uncertain(m);
	int64_t age = (t->now_ns - r->read_ns) / NS_PER_SECOND;

	change = change < 0 ? -change : change;
	/* Others forked from it or left: its share is another. */
	if (m->family && m->family->members > 1 && r->epoch != m->family->epoch)
		change += rss - r->pss;
	change = change < most ? change : most;
	if (change > MIB && change > rss / 100)
		return change + 1;
	if (change > rss / 20 || (age >= STALE_SECONDS && r->clock_ns != m->clock_ns) || age >= OLD_SECONDS)
		return rss / 100 + 1;
	return 0;
}

static bool asleep(const struct tree *t, const struct member *m)
{
	return t->clocks && m->pass != t->pass;
}

static void tell_dear(struct tree *t, const struct member *m, int64_t expected_ns)
{
	tree_tell(t, &t->told_dear, "reading the PSS of %s (pid %d) would hold up its memory calls for %.0f ms: it is "
		  "carried, and known to within %.0f MiB", m->comm, (int)m->pid, (double)expected_ns / 1e6,
		  (double)uncertain(m) / MIB);
}

static void read_if_allowed(struct tree *t, struct member *m)
{
	struct pss_size size = size_of(t, m);
	int64_t expected_ns = pss_expected_ns(&size);
	bool sleeps = asleep(t, m);

	/* A dear reading must tell more than is known without it. */
	if (expected_ns > PSS_READ_NS && uncertain(m) <= m->figures.level[RSS] / WIDE_DIVISOR)
		return;
	if (pss_budget_allows(&t->pss_budget, expected_ns, sleeps))
		read_rollup(t, m);
	else if (expected_ns > (sleeps ? PSS_SLEEP_NS : PSS_READ_NS))
		tell_dear(t, m, expected_ns);
}

static void read_most_changed(struct tree *t)
{
	struct { struct member *member; int64_t worth; } pick[PICKS + 1];
	size_t n = 0;

	for (size_t i = 0; i < t->members.n_dear; i++) {
		struct member *m = t->members.dear[i];
		int64_t value = m->pss_due ? worth(t, m) : 0;
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

		if (m->state == 'Z' || (m->denied_pss && m->reads % 64 != 0))
			m->pss_due = false;
		else if (m->pss_due && (!m->has_rollup || m->denied_pss))
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

		if (m->rollup.read_ns != t->now_ns || !m->has_rollup || !m->family || m->family->members == 1)
			continue;
		if (member_text(t, m, FILE_STATM) == 0 && proc_parse_statm(&statm, t->text.at, t->text.len) == 0 &&
		    statm.resident > 0)
			continue;
		family_void_credit(t, m->family);
		t->pss_mapped += (uint64_t)m->figures.level[PSS_FILE];
	}
}

static void find_oldest(struct tree *t)
{
	t->pss_oldest_ns = t->now_ns;
	t->pss_oldest_parted = t->pss_parted;
	t->pss_oldest_mapped = t->pss_mapped;
	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];
		struct rollup *r = &m->rollup;

		if (r->read_ns == t->now_ns) {          /* all readings of one pass are of one moment */
			r->parted = t->pss_parted;
			r->mapped = t->pss_mapped;
		}
		if (m->figures.level[HAS_PSS] && m->state != 'Z' && r->read_ns < t->pss_oldest_ns)
			t->pss_oldest_ns = r->read_ns;
		if (r->parted < t->pss_oldest_parted)
			t->pss_oldest_parted = r->parted;
		if (r->mapped < t->pss_oldest_mapped)
			t->pss_oldest_mapped = r->mapped;
	}
	t->pss_changed = false;
}

void tree_read_pss(struct tree *t)
{
	if (t->pss_policy == PSS_NEVER)
		return;
	pss_budget_fill(&t->pss_budget, t->now_ns, t->slowdown);
	if (t->pss_policy == PSS_ALWAYS) {
		for (size_t i = 0; i < t->members.n; i++)
			if (t->members.order[i]->state != 'Z')
				read_rollup(t, t->members.order[i]);
	} else {
		read_new(t);
		read_most_changed(t);
	}
	if (t->pss_changed) {
		find_oldest(t);
		look_for_ended(t);
	}
}
