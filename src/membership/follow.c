/*
 * follow.c - processes end while the tree is read: who else is gone, and who inherited from them.
 *
 * A pass is not a moment.  What ends between the reading of its parent and its own, or after both, may
 * stand in its parent's figures and in its own, or in neither.  So what may have moved is read again.
 */
#include "membership_state.h"

#include <string.h>

enum { ROUNDS = 4 };

/* true: it ended, or waited for a child since it was read last. */
static bool read_again(struct membership *ms, struct member *m)
{
	bool first = m->pass != ms->tracked->pass;
	uint64_t waited[APART], own[KEPT];
	bool same = true;

	for (size_t k = 0; k < APART; k++)
		waited[k] = member_waited(m, k);
	memcpy(own, m->figures.own, sizeof own);
	if (visit(ms->visits, m, -1) == -ESRCH) {
		membership_gone(ms, m);
		return true;
	}
	/* Its children were read before it in this pass. */
	if (first && m->account.waited)
		memcpy(m->account.waited->first, waited, sizeof waited);
	for (size_t k = 0; k < APART; k++)
		same &= waited[k] == member_waited(m, k);
	if (same)
		return false;
	accounts_hold(ms->accounts, m, waited, own);
	m->news = true;
	return true;
}

/* Reads each heir after its child, ms->leaving.gone[from] and later, is known to be gone. */
static bool read_heirs(struct membership *ms, size_t from)
{
	bool changed = false;
	size_t n = ms->leaving.n;

	for (size_t i = from; i < n; i++) {
		const struct member *gone = ms->leaving.gone[i];
		struct member *heir = gone->reaped ? NULL : members_heir(&ms->tracked->members, gone);

		if (heir && !heir->gone)
			heir->again = true;
	}
	for (size_t i = from; i < n; i++) {
		struct member *heir = members_heir(&ms->tracked->members, ms->leaving.gone[i]);

		if (!heir || !heir->again)
			continue;
		heir->again = false;
		changed |= read_again(ms, heir);
	}
	return changed;
}

/*
 * Children of what ended or waited in this pass: they were read before that, so they may be inside
 * their parent's figures by now, and those that live have another parent.
 */
static bool read_children_of_news(struct membership *ms, bool of_gone_only)
{
	struct tracked *t = ms->tracked;
	bool changed = false;

	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];
		struct member *p = m->gone ? NULL : members_parent(&t->members, m);

		m->again = p && p->news && (p->gone || !of_gone_only);
	}
	if (!of_gone_only)
		accounts_release_held(ms->accounts);
	for (size_t i = 0; i < t->members.n; i++)
		t->members.order[i]->news = false;
	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];

		if (m->again && !m->gone)
			changed |= read_again(ms, m);
		m->again = false;
	}
	return changed;
}

/*
 * Until nothing moves, or for some rounds.  Then what is gone is followed to its end at least: a
 * member whose parent is settled without it would be counted once more when it is found to be gone.
 */
static void follow_ends(struct membership *ms)
{
	bool changed = ms->leaving.n > 0;
	size_t followed = 0;

	for (int round = 0; changed && round < ROUNDS; round++) {
		size_t from = followed;

		followed = ms->leaving.n;
		changed = read_heirs(ms, from);
		changed |= read_children_of_news(ms, false);
	}
	while (followed < ms->leaving.n) {
		size_t from = followed;

		followed = ms->leaving.n;
		(void)read_heirs(ms, from);
		(void)read_children_of_news(ms, true);
	}
}

/*
 * A child that could not be read again after its parent was gone: what it used may be further up.  So it
 * is hung there before its parent is dropped; if it lives, its next reading says who its parent is.
 */
static void hang_up_children(struct tracked *t)
{
	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];
		struct member *parent = m->gone ? NULL : members_parent(&t->members, m);
		struct member *heir = parent && parent->gone ? members_heir(&t->members, m) : NULL;

		if (heir)
			m->parent = heir->pid;
	}
}

void membership_settle(struct membership *ms)
{
	struct leaving *leaving = &ms->leaving;

	follow_ends(ms);
	/* What waits for a child is told its peak, and in the end so are we. */
	if (!accounts_settle(ms->accounts, leaving->gone, leaving->n))
		memory_peak_missed(ms->memory);
	if (leaving->n > 0)
		hang_up_children(ms->tracked);
	for (size_t i = 0; i < leaving->n; i++)
		membership_drop(ms, leaving->gone[i]);
	leaving->n = 0;
	if (ms->holes) {
		members_compact(&ms->tracked->members);
		memory_changed(ms->memory);
	}
	ms->holes = false;
}
