/*
 * memory.c - PSS, within a budget.
 *
 * Reading smaps_rollup costs 8.5 us for each MB of 4 KiB pages, and all the while the process's own
 * mmap, munmap, mprotect and thread creation wait (mmap_lock).  So readings together take at most
 * a hundredth of the time, what changed most is read first, and between readings PSS follows RSS.
 */
#include "state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

enum {
	PICKS = 8,                              /* readings of known members in one pass */
	BUDGET_DIVISOR = 100,                   /* 1 % of the time */
	BUCKET_FIRST_NS = 10 * 1000 * 1000,
	BUCKET_NS = 100 * 1000 * 1000,          /* no reading is ever expected to take longer */
	BASE_NS = 20 * 1000,
	NS_PER_MIB = 8900,                      /* of 4 KiB pages; huge pages cost a hundredth */
	MIB = 1024 * 1024,
};

bool pss_known(const struct tree *t, const struct member *m)
{
	return t->pss_policy != PSS_NEVER && !m->denied_pss;
}

int64_t pss_carried(const struct member *m, int64_t rss, int64_t shared)
{
	int64_t pss = m->has_rollup ? m->pss_bytes + rss - m->pss_rss : rss - shared;

	return pss < 0 ? 0 : pss < rss ? pss : rss;
}

static int64_t expected_ns(const struct member *m)
{
	int64_t rss = m->figures.level[RSS];

	if (m->has_rollup && m->pss_cost_ns > 0 && m->pss_rss > 0)
		return BASE_NS + (int64_t)((double)m->pss_cost_ns * (double)rss / (double)m->pss_rss);
	return BASE_NS + rss / MIB * NS_PER_MIB;
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
	int64_t ended = t->src->monotonic_ns(t->src->clock);

	t->pss_bucket_ns -= ended - began;
	if (r == -EACCES || r == -EPERM || r == -ENOENT) {
		m->denied_pss = true;
		if (r != -ENOENT)
			tree_tell_denied(t, &t->told_pss, "PSS", m);
	} else if (r == 0 && proc_parse_rollup(&p, t->text.at, t->text.len) == 0) {
		m->has_rollup = true;
		m->denied_pss = false;
		m->pss_bytes = (int64_t)p.pss_bytes;
		m->pss_rss = now.level[RSS];
		m->pss_cost_ns = ended - began;
		now.level[USS] = (int64_t)p.uss_bytes;
	}
	m->pss_due = false;
	t->pss_moved = true;
	m->pss_read_ns = t->now_ns;
	m->pss_clock_ns = m->clock_ns;
	now.level[HAS_PSS] = pss_known(t, m);
	now.level[PSS] = now.level[HAS_PSS] ? pss_carried(m, now.level[RSS], now.level[SHARED]) : 0;
	now.level[UNREADABLE] = m->denied_io || m->denied_pss;
	member_set(t, m, &now);
}

/* How much a new reading is worth, in bytes that the carried value may be wrong by; 0: nothing. */
static int64_t worth(const struct tree *t, const struct member *m)
{
	enum { STALE_SECONDS = 30, OLD_SECONDS = 300 };
	int64_t rss = m->figures.level[RSS], change = rss - m->pss_rss;
	int64_t age = (t->now_ns - m->pss_read_ns) / NS_PER_SECOND;

	change = change < 0 ? -change : change;
	if (change > MIB || change > rss / 20)
		return change + 1;
	if ((age >= STALE_SECONDS && m->pss_clock_ns != m->clock_ns) || age >= OLD_SECONDS)
		return rss / 100 + 1;
	return 0;
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
		if (expected_ns(pick[i].member) <= t->pss_bucket_ns)
			read_rollup(t, pick[i].member);
}

/* Those that ran and were never read, as far as the budget goes; their right is asked for again at times. */
static void read_new(struct tree *t)
{
	for (size_t i = 0; i < t->members.n_dear; i++) {
		struct member *m = t->members.dear[i];

		if (m->state == 'Z' || (m->denied_pss && m->reads % 64 != 0))
			m->pss_due = false;
		else if (m->pss_due && (!m->has_rollup || m->denied_pss) && expected_ns(m) <= t->pss_bucket_ns)
			read_rollup(t, m);
	}
}

static void find_oldest(struct tree *t)
{
	t->pss_oldest_ns = t->now_ns;
	for (size_t i = 0; i < t->members.n; i++) {
		const struct member *m = t->members.order[i];

		if (m->figures.level[HAS_PSS] && m->state != 'Z' && m->pss_read_ns < t->pss_oldest_ns)
			t->pss_oldest_ns = m->pss_read_ns;
	}
	t->pss_moved = false;
}

void tree_read_pss(struct tree *t)
{
	int64_t filled = t->pss_bucket_ns + (t->now_ns - t->pss_filled_ns) / BUDGET_DIVISOR;

	if (t->pss_policy == PSS_NEVER)
		return;
	if (!t->primed)
		filled = BUCKET_FIRST_NS;
	t->pss_bucket_ns = filled < BUCKET_NS ? filled : BUCKET_NS;
	t->pss_filled_ns = t->now_ns;

	if (t->pss_policy == PSS_ALWAYS) {
		for (size_t i = 0; i < t->members.n; i++)
			if (t->members.order[i]->state != 'Z')
				read_rollup(t, t->members.order[i]);
	} else {
		read_new(t);
		read_most_changed(t);
	}
	if (t->pss_moved)
		find_oldest(t);
}
