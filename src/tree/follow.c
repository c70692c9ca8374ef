/*
 * follow.c - processes end while the tree is read: who else is gone, and who inherited from them.
 *
 * A pass is not a moment.  What ends between the reading of its parent and its own, or after both, may
 * stand in its parent's figures and in its own, or in neither.  So what may have moved is read again.
 */
#include "state.h"

#include <string.h>

enum { ROUNDS = 4 };

void look_for_successor(struct tree *t, pid_t pid)
{
	struct proc_stat stat;
	struct member probe = { .pid = pid, .fd = { -1, -1, -1, -1 } };

	if (t->no_children || member_text(t, &probe, FILE_STAT) < 0 ||
	    proc_parse_stat(&stat, t->text.at, t->text.len) < 0)
		return;
	(void)descendant_found(t, pid, stat.parent);
}

struct member *heir_of(const struct tree *t, const struct member *m)
{
	struct member *p = members_parent(&t->members, m);

	for (int i = 0; p && p->gone && !p->reaped; i++)
		p = i < GENERATIONS ? members_parent(&t->members, p) : NULL;
	return p;
}

/*
 * What `m` inherited between two of its readings in a pass may be of members that are still taken for
 * alive: it is held back from the sums until they were read after it.
 */
static void hold(struct tree *t, struct member *m, const uint64_t waited[APART], const uint64_t own[KEPT])
{
	uint64_t *held = t->root[m->root].held;

	for (size_t k = 0; k < APART; k++)
		held[k] += (uint64_t)gained(waited[k], member_waited(m, k));
	for (size_t k = APART; k < HANDED_ON; k++)
		held[k] += (uint64_t)gained(own[k], m->figures.own[k]);
	m->news = true;
}

void tree_release_held(struct tree *t)
{
	for (size_t i = 0; i < t->n_roots; i++)
		memset(t->root[i].held, 0, sizeof t->root[i].held);
}

/* true: it ended, or waited for a child since it was read last. */
static bool read_again(struct tree *t, struct member *m)
{
	bool first = m->pass != t->pass;
	uint64_t waited[APART], own[KEPT];
	bool same = true;

	for (size_t k = 0; k < APART; k++)
		waited[k] = member_waited(m, k);
	memcpy(own, m->figures.own, sizeof own);
	if (member_read(t, m, -1) == -ESRCH) {
		member_gone(t, m);
		return true;
	}
	/* Its children were read before it in this pass. */
	if (first && m->waited)
		memcpy(m->waited->first, waited, sizeof waited);
	for (size_t k = 0; k < APART; k++)
		same &= waited[k] == member_waited(m, k);
	if (same)
		return false;
	hold(t, m, waited, own);
	return true;
}

/* Reads each heir after its child, t->settling.gone[from] and later, is known to be gone. */
static bool read_heirs(struct tree *t, size_t from)
{
	bool changed = false;
	size_t n = t->settling.n_gone;

	for (size_t i = from; i < n; i++) {
		struct member *heir = t->settling.gone[i]->reaped ? NULL : heir_of(t, t->settling.gone[i]);

		if (heir && !heir->gone)
			heir->again = true;
	}
	for (size_t i = from; i < n; i++) {
		struct member *heir = heir_of(t, t->settling.gone[i]);

		if (!heir || !heir->again)
			continue;
		heir->again = false;
		changed |= read_again(t, heir);
	}
	return changed;
}

/*
 * Children of what ended or waited in this pass: they were read before that, so they may be inside
 * their parent's figures by now, and those that live have another parent.
 */
static bool read_children_of_news(struct tree *t, bool of_gone_only)
{
	bool changed = false;

	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];
		struct member *p = m->gone ? NULL : members_parent(&t->members, m);

		m->again = p && p->news && (p->gone || !of_gone_only);
	}
	if (!of_gone_only)
		tree_release_held(t);
	for (size_t i = 0; i < t->members.n; i++)
		t->members.order[i]->news = false;
	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];

		if (m->again && !m->gone)
			changed |= read_again(t, m);
		m->again = false;
	}
	return changed;
}

/*
 * Until nothing moves, or for some rounds.  Then what is gone is followed to its end at least: a
 * member whose parent is settled without it would be counted once more when it is found to be gone.
 */
void follow_ends(struct tree *t)
{
	bool changed = t->settling.n_gone > 0;
	size_t followed = 0;

	for (int round = 0; changed && round < ROUNDS; round++) {
		size_t from = followed;

		followed = t->settling.n_gone;
		changed = read_heirs(t, from);
		changed |= read_children_of_news(t, false);
	}
	while (followed < t->settling.n_gone) {
		size_t from = followed;

		followed = t->settling.n_gone;
		(void)read_heirs(t, from);
		(void)read_children_of_news(t, true);
	}
}
