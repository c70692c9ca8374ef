/*
 * sweep.c - whether members are looked at in this pass, or known to have done next to nothing.
 *
 * A look at a thousand CPU clocks takes 0.2 ms.  What a tree used in all is one number, of its control group or
 * of perf. Until that has grown by a millisecond, or perf has recorded a fork, an exec or an end, or a connection
 * was opened in our network namespace, members are not looked at.  So their figures lack what a millisecond of
 * CPU time can do, for ten seconds at most; the tree's CPU time lacks nothing.
 */
#include "tree_state.h"

enum {
	MANY = 256,                             /* members: to ask takes as long as 100 clocks */
	SECONDS_MAX = 10,
};

static const uint64_t LITTLE_NS = 1000000;

bool tree_may_skip(struct tree *t)
{
	const struct tracked *tracked = &t->tracked;
	const struct membership_news news = membership_news(t->membership);
	struct sweep *last = &t->sweep;
	struct sweep now = { .at_ns = tracked->now_ns, .tasks = news.tasks, .ended = news.ended };

	last->skipped = false;
	if (!tracked->primed || !tracked->followed || tracked->unwatched || tracked->members.n < MANY)
		return false;
	now.known = cpu_source_used(t->cpu, &now.used_ns);
	last->skipped = now.known && last->known && now.used_ns - last->used_ns < LITTLE_NS &&
			now.at_ns - last->at_ns < SECONDS_MAX * NS_PER_SECOND &&
			now.tasks == last->tasks && now.ended == last->ended && !news.waiting &&
			sockets_are_quiet(t->sockets);
	if (!last->skipped)
		*last = now;
	last->used_by_now_ns = now.used_ns;
	return last->skipped;
}
