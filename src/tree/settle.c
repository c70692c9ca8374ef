/*
 * settle.c - where the figures of vanished members went.
 *
 * A child that was waited for is inside its parent's children figures; a child that nobody waited
 * for (SIGCHLD ignored, or its parent died first) is nowhere, and what was last seen of it is kept.
 * Which of the two happened shows in the heir: the nearest ancestor that has not vanished.
 */
#include "state.h"

#include <string.h>

static bool room_for_gone(struct tree *t)
{
	if (t->settling.n_gone < t->settling.gone_room)
		return true;

	size_t room = size_max(64, 2 * t->settling.gone_room);
	struct member **gone = realloc(t->settling.gone, room * sizeof(struct member *));

	if (gone)
		t->settling.gone = gone;

	struct account *accounts = realloc(t->settling.accounts, room * sizeof *accounts);

	if (accounts)
		t->settling.accounts = accounts;
	if (!gone || !accounts)
		return false;
	t->settling.gone_room = room;
	return true;
}

/*
 * What a member that is gone takes along, with its children that are gone too (fold): these may have
 * been read before it waited for them, after it, or both.
 */
static uint64_t taken(const struct member *m, size_t k)
{
	uint64_t waited = member_waited(m, k) + (k == CPU_NS ? m->remainder_ns : 0);
	uint64_t explained = m->waited && k < APART ? m->waited->explained[k] : 0;

	if (k < APART && m->folded)
		return 0;
	return m->figures.own[k] + (waited > explained ? waited : explained);
}

static void keep(struct tree *t, const struct member *m)
{
	struct root *root = &t->root[m->root];

	for (size_t k = 0; k < KEPT; k++)
		root->ended[k] += taken(m, k);
}

void member_gone(struct tree *t, struct member *m)
{
	tree_tell_end(t, m, m->reaped);
	births_leave(t, m);
	t->peak.left_bytes += (uint64_t)m->peak_rss;
	m->gone = m->news = t->holes = true;
	if (room_for_gone(t)) {
		t->settling.gone[t->settling.n_gone++] = m;
	} else {
		keep(t, m);
		member_drop(t, m);
	}
	if (!m->reaped)
		look_for_successor(t, m->pid);
}

double settle_share(uint64_t ret_kept[KEPT], const uint64_t lost[KEPT], const uint64_t gain[APART],
		    uint64_t *remainder_ns, uint64_t ns_per_tick)
{
	/*
	 * Page faults are the witness: every process has some, the kernel adds a waited child's to
	 * its parent's exactly, and times it rounds down to ticks.
	 */
	uint64_t faults = lost[MINOR_FAULTS];
	double share = gained(gain[MINOR_FAULTS], faults) / (double)(faults > 0 ? faults : 1);

	for (size_t k = 0; k < KEPT; k++)
		if (k >= APART)
			ret_kept[k] = (uint64_t)(share * (double)lost[k]);
		else
			ret_kept[k] = share > 0 && lost[k] > gain[k] ? lost[k] - gain[k] : 0;
	if (share > 0)
		return share;

	/*
	 * cutime and cstime are each rounded down, so together they are up to two ticks short.  The
	 * difference that children seen in nanoseconds leave never exceeds what is missing there.
	 */
	uint64_t have = *remainder_ns + lost[CPU_NS];
	uint64_t rest = have > gain[CPU_NS] ? have - gain[CPU_NS] : 0;

	*remainder_ns = rest < 2 * ns_per_tick ? rest : 2 * ns_per_tick;
	return 0;
}

static void pay(struct tree *t, struct account *a)
{
	struct member *heir = a->heir;
	struct root *from = &t->root[a->root], *to = &t->root[heir->root];
	struct program *program = &t->programs.at[heir->program];
	struct waited *w = heir->waited;
	uint64_t gain[APART] = { 0 }, kept[KEPT], remainder = heir->remainder_ns;

	for (size_t k = 0; w && k < APART; k++)
		gain[k] = w->figures[k] - w->explained[k];
	/* Who waits for it is told its peak, and in the end so are we. */
	t->peak.missed |= settle_share(kept, a->lost, gain, &remainder, t->ns_per_tick) > 0;
	if (!heir->reaped) {                            /* of one that is, the times are exact */
		to->live[CPU_NS] += remainder - heir->remainder_ns;
		heir->remainder_ns = (uint32_t)remainder;
	}

	for (size_t k = 0; k < KEPT; k++) {
		uint64_t inherited = a->lost[k] - kept[k];

		/* With roots inside each other a child's figures stay in the row of its own root. */
		from->ended[k] += a->lost[k];
		to->ended[k] -= inherited;
		if (k < APART && w) {
			w->explained[k] += inherited < gain[k] ? inherited : gain[k];
		} else if (k >= HANDED_ON && !heir->reaped) {   /* of one that is, wait4 told them with its own */
			heir->figures.own[k] += inherited;
			to->live[k] += inherited;
		}
	}
	program->gained_read -= (int64_t)(a->lost[READ_BYTES] - kept[READ_BYTES]);
	program->gained_write -= (int64_t)(a->lost[WRITE_BYTES] - kept[WRITE_BYTES]);
}

static void put_on_account(struct tree *t, const struct member *m, struct member *heir)
{
	size_t i = heir->account - 1;

	if (heir->account == 0 || t->settling.accounts[i].root != m->root) {
		i = t->settling.n_accounts++;
		t->settling.accounts[i] = (struct account){ .heir = heir, .root = m->root };
		heir->account = (uint32_t)i + 1;
	}
	for (size_t k = 0; k < KEPT; k++)
		t->settling.accounts[i].lost[k] += taken(m, k);
}

/*
 * The nearest ancestor that may hold its figures: gone as well, without telling us its exact figures, and seen to
 * have inherited something.  One that was never seen to holds nothing, and what it used goes the same way.
 */
static struct member *gone_holder(const struct tree *t, const struct member *m)
{
	struct member *p = m->reaped ? NULL : members_parent(&t->members, m);

	for (int i = 0; p && p->gone && !p->reaped && p->root == m->root && i < GENERATIONS; i++) {
		if (p->waited)
			return p;
		p = members_parent(&t->members, p);
	}
	return NULL;
}

/* Puts the figures of each member that is gone into its holder's; leaves first. */
static void fold(struct tree *t)
{
	for (size_t i = 0; i < t->settling.n_gone; i++) {
		struct member *holder = gone_holder(t, t->settling.gone[i]);

		if (holder)
			holder->waited->nested++;
	}
	for (size_t i = 0; i < t->settling.n_gone; i++) {
		struct member *m = t->settling.gone[i], *holder;

		while ((!m->waited || m->waited->nested == 0) && !m->folded && (holder = gone_holder(t, m))) {
			for (size_t k = 0; k < APART; k++)
				holder->waited->explained[k] += taken(m, k);
			m->folded = true;
			holder->waited->nested--;
			m = holder;
		}
	}
}

/*
 * A child that could not be read again after its parent was gone: what it used may be further up.  So it
 * is hung there before its parent is dropped; if it lives, its next reading says who its parent is.
 */
static void hang_up_children(struct tree *t)
{
	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];
		struct member *parent = m->gone ? NULL : members_parent(&t->members, m);
		struct member *heir = parent && parent->gone ? heir_of(t, m) : NULL;

		if (heir)
			m->parent = heir->pid;
	}
}

void tree_settle(struct tree *t)
{
	follow_ends(t);
	fold(t);
	t->settling.n_accounts = 0;
	for (size_t i = 0; i < t->settling.n_gone; i++) {
		struct member *m = t->settling.gone[i];
		struct member *heir = m->reaped || t->no_children ? NULL : heir_of(t, m);

		m->again = heir != NULL;
		if (heir)
			put_on_account(t, m, heir);
	}
	for (size_t i = 0; i < t->settling.n_accounts; i++) {
		pay(t, &t->settling.accounts[i]);
		t->settling.accounts[i].heir->account = 0;
	}
	if (t->settling.n_gone > 0)
		hang_up_children(t);
	for (size_t i = 0; i < t->settling.n_gone; i++) {
		if (!t->settling.gone[i]->again)
			keep(t, t->settling.gone[i]);
		member_drop(t, t->settling.gone[i]);
	}
	t->settling.n_gone = 0;
	if (t->holes) {
		members_compact(&t->members);
		t->memory.changed = true;
	}
	t->holes = false;
}
