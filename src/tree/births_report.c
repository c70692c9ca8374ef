/* births_report.c - what a sample tells of births, and of CPU time that nobody was seen to use. */
#include "state.h"

#include <stdio.h>

/* A child's time moves from its own clock to its parent's ticks, so the difference may step back a little. */
static void report_unaccounted(struct tree *t, struct totals *out)
{
	t->unaccounted_ns += (int64_t)(out->process_cpu_seconds * 1e9) - t->seen_ns;
	t->seen_ns = 0;

	int64_t gain = t->unaccounted_ns - t->unaccounted_told_ns;

	out->process_unaccounted_cpu_seconds = gain > 0 ? (double)gain / 1e9 : 0;
	t->unaccounted_told_ns += gain > 0 ? gain : 0;
}

static const char *how(struct tree *t)
{
	return t->no_children ? "none" : t->sideband ? "perf" : tree_has_children_files(t) ? "children" : "scan";
}

void births_report(struct tree *t, struct totals *out)
{
	const struct births *b = &t->births;
	(void)snprintf(out->process_membership, sizeof out->process_membership, "%s", how(t));
	(void)snprintf(out->process_membership_reason, sizeof out->process_membership_reason, "%.*s",
		       (int)sizeof out->process_membership_reason - 1, t->no_sideband.text);
	if (!is_none(out->process_cpu_seconds))
		report_unaccounted(t, out);
	if (!t->sideband || !t->primed)
		return;
	out->process_started = (double)(b->started - t->told_started);
	out->process_ended = (double)(b->ended - t->told_ended);
	out->process_lost_records = (double)(b->lost - t->told_lost);
	t->told_started = b->started;
	t->told_ended = b->ended;
	t->told_lost = b->lost;
}
