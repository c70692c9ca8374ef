/*
 * settle.c - where the figures of members that are gone went.
 *
 * If its parent waited for a child, the child is in the parent's children figures.  If no parent waited (SIGCHLD
 * ignored, or the parent exited first), its figures are nowhere, and the last known ones are kept.  The heir shows
 * which of the two happened: the nearest ancestor that is not gone.
 */
#include "accounting_state.h"

#include <string.h>

bool accounts_reserve(struct accounts *a, size_t n)
{
	if (n <= a->losses_room)
		return true;

	size_t room = size_max(64, size_max(n, 2 * a->losses_room));
	struct losses *losses = realloc(a->losses, room * sizeof *losses);

	if (!losses)
		return false;
	a->losses = losses;
	a->losses_room = room;
	return true;
}

/*
 * The figures that a gone member takes along, with those of its children that are gone too (fold).  These may have been
 * read before the member waited for them, after it, or both.
 */
static uint64_t taken(const struct member *m, size_t k)
{
	uint64_t waited = member_waited(m, k) + (k == CPU_NS ? m->account.remainder_ns : 0);
	uint64_t explained = m->account.waited && k < APART ? m->account.waited->explained[k] : 0;

	if (k < APART && m->account.folded)
		return 0;
	return m->figures.own[k] + (waited > explained ? waited : explained);
}

void accounts_keep(struct accounts *a, const struct member *m)
{
	struct root *root = &a->root[m->root];

	for (size_t k = 0; k < KEPT; k++)
		root->ended[k] += taken(m, k);
}

double settle_share(uint64_t ret_kept[KEPT], const uint64_t lost[KEPT], const uint64_t gain[APART],
		    uint64_t *remainder_ns, uint64_t ns_per_tick)
{
	/*
	 * Page faults decide: every process has some, and the kernel adds those of a waited child to its parent
	 * exactly, while it rounds times down to ticks.
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
	 * cutime and cstime are each rounded down, so together they are up to two ticks short.  The remainder of
	 * children that were read in nanoseconds never exceeds what is missing there.
	 */
	uint64_t have = *remainder_ns + lost[CPU_NS];
	uint64_t rest = have > gain[CPU_NS] ? have - gain[CPU_NS] : 0;

	*remainder_ns = rest < 2 * ns_per_tick ? rest : 2 * ns_per_tick;
	return 0;
}

/* Returns the share that no other process has. */
static double pay(struct accounts *a, const struct losses *l)
{
	struct member *heir = l->heir;
	struct root *from = &a->root[l->root], *to = &a->root[heir->root];
	struct program *program = program_of(a, heir->branch);
	struct waited *w = heir->account.waited;
	uint64_t gain[APART] = { 0 }, kept[KEPT], remainder = heir->account.remainder_ns;

	for (size_t k = 0; w && k < APART; k++)
		gain[k] = w->figures[k] - w->explained[k];

	double share = settle_share(kept, l->lost, gain, &remainder, a->tracked->ns_per_tick);

	if (!heir->reaped) {                            /* after wait4 its times are exact */
		to->live[CPU_NS] += remainder - heir->account.remainder_ns;
		heir->account.remainder_ns = (uint32_t)remainder;
	}

	for (size_t k = 0; k < KEPT; k++) {
		uint64_t inherited = l->lost[k] - kept[k];

		/* With nested roots, a child's figures stay in the row of its own root. */
		from->ended[k] += l->lost[k];
		to->ended[k] -= inherited;
		if (k < APART && w) {
			w->explained[k] += inherited < gain[k] ? inherited : gain[k];
		} else if (k >= HANDED_ON && !heir->reaped) {   /* wait4 returned them with its own */
			heir->figures.own[k] += inherited;
			to->live[k] += inherited;
		}
	}
	program->gained_read -= (int64_t)(l->lost[READ_BYTES] - kept[READ_BYTES]);
	program->gained_write -= (int64_t)(l->lost[WRITE_BYTES] - kept[WRITE_BYTES]);
	return share;
}

static void put_on_account(struct accounts *a, const struct member *m, struct member *heir)
{
	size_t i = heir->account.losses - 1;

	if (heir->account.losses == 0 || a->losses[i].root != m->root) {
		i = a->n_losses++;
		a->losses[i] = (struct losses){ .heir = heir, .root = m->root };
		heir->account.losses = (uint32_t)i + 1;
	}
	for (size_t k = 0; k < KEPT; k++)
		a->losses[i].lost[k] += taken(m, k);
}

/*
 * The nearest ancestor that may hold its figures: gone as well, without exact figures, and seen to inherit something.
 * An ancestor that never inherited holds nothing, and its own figures go the same way.
 */
static struct member *gone_holder(const struct members *all, const struct member *m)
{
	struct member *p = m->reaped ? NULL : members_parent(all, m);

	for (int i = 0; p && p->gone && !p->reaped && p->root == m->root && i < GENERATIONS; i++) {
		if (p->account.waited)
			return p;
		p = members_parent(all, p);
	}
	return NULL;
}

/* Adds the figures of each member that is gone to its holder's; leaves first. */
static void fold(const struct members *all, struct member **gone, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct member *holder = gone_holder(all, gone[i]);

		if (holder)
			holder->account.waited->nested++;
	}
	for (size_t i = 0; i < n; i++) {
		struct member *m = gone[i], *holder;

		while ((!m->account.waited || m->account.waited->nested == 0) && !m->account.folded &&
		       (holder = gone_holder(all, m))) {
			for (size_t k = 0; k < APART; k++)
				holder->account.waited->explained[k] += taken(m, k);
			m->account.folded = true;
			holder->account.waited->nested--;
			m = holder;
		}
	}
}

bool accounts_settle(struct accounts *a, struct member **gone, size_t n)
{
	const struct members *all = &a->tracked->members;
	bool inherited = true;

	fold(all, gone, n);
	a->n_losses = 0;
	for (size_t i = 0; i < n; i++) {
		struct member *m = gone[i];
		struct member *heir = m->reaped || a->tracked->no_children ? NULL : members_heir(all, m);

		m->account.inherited = heir != NULL;
		if (heir)
			put_on_account(a, m, heir);
	}
	for (size_t i = 0; i < a->n_losses; i++) {
		inherited &= !(pay(a, &a->losses[i]) > 0);
		a->losses[i].heir->account.losses = 0;
	}
	for (size_t i = 0; i < n; i++)
		if (!gone[i]->account.inherited)
			accounts_keep(a, gone[i]);
	return inherited;
}
