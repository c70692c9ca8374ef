/* fork_events_report.c - how members are found, and what perf recorded since the last sample. */
#include "membership_state.h"

#include <stdio.h>

static const char *how(struct membership *ms)
{
	if (ms->tracked->no_children)
		return "none";
	return ms->forks.sideband ? "perf" : membership_has_lists(ms) ? "children" : "scan";
}

void membership_report(struct membership *ms, struct totals *out)
{
	struct following *f = &ms->forks;
	const struct fork_events *b = &f->fork_events;

	(void)snprintf(out->process_membership, sizeof out->process_membership, "%s", how(ms));
	(void)snprintf(out->process_membership_reason, sizeof out->process_membership_reason, "%.*s",
		       (int)sizeof out->process_membership_reason - 1, f->refusal.text);
	if (!f->sideband || !ms->tracked->primed)
		return;
	out->process_started = (double)(b->started - f->reported_started);
	out->process_ended = (double)(b->ended - f->reported_ended);
	out->process_lost_records = (double)(b->lost - f->reported_lost);
	f->reported_started = b->started;
	f->reported_ended = b->ended;
	f->reported_lost = b->lost;
}
