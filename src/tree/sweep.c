/*
 * sweep.c - whether members are looked at in this pass, or known to have done next to nothing.
 *
 * A look at a thousand CPU clocks takes 0.2 ms.  What a tree used in all is one number, of its control group or
 * of perf. Until that has grown by a millisecond, or perf has recorded a fork, an exec or an end, or a connection
 * was opened in our network namespace, members are not looked at.  So their figures lack what a millisecond of
 * CPU time can do, for ten seconds at most; the tree's CPU time lacks nothing.
 */
#include "state.h"

enum {
	MANY = 256,                             /* members: to ask takes as long as 100 clocks */
	SECONDS_MAX = 10,
};

static const uint64_t LITTLE_NS = 1000000;

bool tree_may_skip(struct tree *t)
{
	struct sweep *last = &t->sweep;
	struct sweep now = { .at_ns = t->now_ns, .tasks = t->forks.births.tasks, .ended = t->forks.births.ended };

	last->skipped = false;
	if (!t->primed || !t->forks.sideband || t->unwatched || t->members.n < MANY)
		return false;
	now.known = cpu_source_used(t->cpu, &now.used_ns);
	last->skipped = now.known && last->known && now.used_ns - last->used_ns < LITTLE_NS &&
			now.at_ns - last->at_ns < SECONDS_MAX * NS_PER_SECOND &&
			now.tasks == last->tasks && now.ended == last->ended &&
			!t->forks.births.at[BIRTHS_WAITING].after &&
			sockets_are_quiet(t->sockets);
	if (!last->skipped)
		*last = now;
	last->used_by_now_ns = now.used_ns;
	return last->skipped;
}
