/* births_report.c - what a sample tells of births, and of CPU time that nobody was seen to use. */
#include "state.h"

#include <stdio.h>

/* A child's time moves from its own clock to its parent's ticks, so the difference may step back a little. */
static void report_unaccounted(struct tree *t, struct totals *out)
{
	t->unaccounted.sum_ns += (int64_t)(out->process_cpu_seconds * 1e9) - t->unaccounted.seen_ns;
	t->unaccounted.seen_ns = 0;

	int64_t gain = t->unaccounted.sum_ns - t->unaccounted.told_ns;

	out->process_unaccounted_cpu_seconds = gain > 0 ? (double)gain / 1e9 : 0;
	t->unaccounted.told_ns += gain > 0 ? gain : 0;
}

static const char *how(struct tree *t)
{
	return t->no_children ? "none" : t->forks.sideband ? "perf" : tree_has_children_files(t) ? "children" : "scan";
}

void births_report(struct tree *t, struct totals *out)
{
	const struct births *b = &t->forks.births;
	(void)snprintf(out->process_membership, sizeof out->process_membership, "%s", how(t));
	(void)snprintf(out->process_membership_reason, sizeof out->process_membership_reason, "%.*s",
		       (int)sizeof out->process_membership_reason - 1, t->forks.refusal.text);
	if (!is_none(out->process_cpu_seconds))
		report_unaccounted(t, out);
	if (!t->forks.sideband || !t->primed)
		return;
	out->process_started = (double)(b->started - t->forks.told_started);
	out->process_ended = (double)(b->ended - t->forks.told_ended);
	out->process_lost_records = (double)(b->lost - t->forks.told_lost);
	t->forks.told_started = b->started;
	t->forks.told_ended = b->ended;
	t->forks.told_lost = b->lost;
}
