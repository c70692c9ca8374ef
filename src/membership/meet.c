/*
 * meet.c - finds members by perf's records of forks, names and exits.
 *
 * Three cases need more than that.  A process that exited is a zombie until its parent waits: the parent's children
 * file lists it.  If a process execs a set-user-ID or unreadable program, the kernel ends its events and records an
 * exit (begin_new_exec in fs/exec.c): it lives on unwatched, and is walked with all that it starts.  When records were
 * lost, one walk through all members finds the living ones.
 */
#include "membership_state.h"

void membership_judge(struct membership *ms)
{
	struct tracked *t = ms->tracked;
	for (size_t i = 0; i < ms->forks.n_suspects; i++) {
		struct member *m = members_find(&t->members, ms->forks.suspects[i]);

		if (!m || m->figures.state == 'Z' || fork_events_find(&ms->forks.fork_events, m->pid) ||
		    member_is_ending(t, m))
			continue;
		m->unwatched = t->unwatched = true;
		ms->walking.all_ns = 0;         /* finds its descendants so far as well */
		notices_add(&t->notices, &ms->noticed.unwatched, "perf events do not follow %s (pid %d), a set-user-ID or unreadable program: "
			  "it is walked instead, and what it starts is not counted", m->comm, (int)m->pid);
	}
	ms->forks.n_suspects = 0;
}

static void look_at(struct membership *ms, pid_t pid, pid_t parent)
{
	struct member *m = members_find(&ms->tracked->members, pid);

	if (m && m->exited && visit(ms->visits, m, -1) == -ESRCH)       /* a predecessor with this pid */
		membership_gone(ms, m);
	(void)member_found(ms, pid, members_find(&ms->tracked->members, parent));
}

void membership_meet(struct membership *ms)
{
	struct tracked *t = ms->tracked;
	/* At the baseline, just before its exec, the command has our name and not its own. */
	while (ms->forks.sideband && t->primed && ms->forks.fork_events.at[FORK_EVENTS_WAITING].after) {
		uint32_t i = ms->forks.fork_events.at[FORK_EVENTS_WAITING].after;
		struct fork_event *b = &ms->forks.fork_events.at[i];

		if (b->name[0])
			fork_events_count_start(ms, b);
		fork_events_met(&ms->forks.fork_events, i);
		look_at(ms, b->pid, b->parent);
	}
	for (size_t i = 0; i < ms->forks.n_parents && membership_has_lists(ms); i++) {
		struct member *m = members_find(&t->members, ms->forks.parents[i]);

		if (m && member_glance(t, m)->walk_due && m->figures.state != 'Z')
			membership_walk_member(ms, m);
	}
	ms->forks.n_parents = 0;
}

void membership_repair(struct membership *ms)
{
	struct tracked *t = ms->tracked;
	if (!ms->forks.repair_due)
		return;
	ms->forks.fork_events.scanned_ns = fork_events_now_ns();
	ms->forks.repair_due = false;
	for (size_t k = 0; k < t->members.n && ms->forks.sideband; k++) {
		const struct member *m = t->members.order[k];
		uint32_t i = fork_events_find(&ms->forks.fork_events, m->pid);

		if (m->gone || m->figures.state == 'Z' || m->unwatched)
			continue;
		if (i == 0 && (i = fork_events_begin(ms, m->pid, m->parent, true)) == 0)
			return;
		ms->forks.fork_events.at[i].branch = m->branch;
		fork_events_set_name(ms, i, m->comm);
		if (m->comm[0])
			fork_events_count_start(ms, &ms->forks.fork_events.at[i]);
		fork_events_met(&ms->forks.fork_events, i);
		ms->forks.fork_events.at[i].threads = m->figures.threads;
	}
	for (uint32_t i = FORK_EVENT_LISTS; i < ms->forks.fork_events.unused && ms->forks.sideband; i++) {
		pid_t pid = ms->forks.fork_events.at[i].pid;
		const struct member *m = pid > 0 ? members_find(&t->members, pid) : NULL;

		if (pid > 0 && !ms->forks.fork_events.at[i].ended && (!m || m->figures.state == 'Z'))
			fork_events_note_end(ms, i, 0);
	}
}

void membership_settle_records(struct membership *ms)
{
	if (!fork_events_forget_ended(ms, true))
		return;
	membership_drain(ms);
	(void)fork_events_forget_ended(ms, true);
}
