/*
 * follow.c - exits while the tree is read: which other members are gone, and which inherited their figures.
 *
 * A pass takes time.  A process that exits between its parent's reading and its own, or after both, may be counted in
 * its parent's figures and in its own, or in neither.  So members with figures that may have moved are read again.
 */
#include "membership_state.h"

#include <string.h>

enum { ROUNDS = 4 };

/* true: it exited, or waited for a child since its last reading. */
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

/* Reads the heirs of ms->leaving.gone[from] and later, which are known to be gone. */
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
 * Reads the children of members that exited or waited in this pass.  They were read before that, so their figures may
 * be in their parent's by now, and those that live have another parent.
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
 * Repeats until nothing moves, ROUNDS times at most.  Then it follows only the members that are gone, to the last one:
 * if the parent were settled without such a member, the member would be counted twice when it is found to be gone.
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
 * A child that could not be read again after its parent was gone: its figures may be in an ancestor.  It becomes a
 * child of that ancestor before its parent is dropped.  If it lives, its next reading finds its parent.
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
	/* A parent that waits for a child inherits its peak, and wait4 returns it to us in the end. */
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
