/* ends.c - the ends of members, as they are handed out: each once, in the order they were noticed. */
#include "membership_state.h"

#include <string.h>

void membership_ended(struct membership *ms, struct member *m, bool exact)
{
	struct tracked *t = ms->tracked;
	/* Of what is not ours to wait for, it ends with its memory. */
	if (t->primed && !t->ours)
		memory_peak_missed(ms->memory);
	if (m->end_noted || m->reads == 0)
		return;
	m->end_noted = true;
	if (ms->ends.n == EXITS) {                      /* the oldest gives way */
		ms->ends.first = (ms->ends.first + 1) % EXITS;
		ms->ends.n--;
	}

	struct tree_exit *e = &ms->ends.at[(ms->ends.first + ms->ends.n++) % EXITS];

	*e = (struct tree_exit){
		.pid = m->pid, .parent = m->parent, .exact = exact,
		.start_seconds = (double)m->start_ticks * (double)t->ns_per_tick / 1e9,
		.seen_seconds = (double)t->src->monotonic_ns(t->src->clock) / 1e9,
		.cpu_seconds = (double)m->figures.own[CPU_NS] / 1e9,
		.peak_rss_bytes = m->memory.peak_rss > 0 ? (double)m->memory.peak_rss : NONE,
	};
	memcpy(e->name, m->comm, sizeof m->comm);
}

bool membership_next_exit(struct membership *ms, struct tree_exit *ret)
{
	if (ms->ends.n == 0)
		return false;
	*ret = ms->ends.at[ms->ends.first];
	ms->ends.first = (ms->ends.first + 1) % EXITS;
	ms->ends.n--;
	return true;
}
