/*
 * meet.c - members are found by perf's records of forks, names and ends.
 *
 * Three kinds of processes need more than that.  One that ended is a zombie until its parent waits: the parent's
 * children file tells.  Of one that exec'd a set-user-ID or unreadable program the end is told (begin_new_exec in
 * fs/exec.c ends its events): it lives on unwatched, and is walked with all that it
 * starts.  And when records were lost, one walk through all members finds who lives.
 */
#include "membership_state.h"

void membership_judge(struct membership *ms)
{
	struct tracked *t = ms->tracked;
	for (size_t i = 0; i < ms->forks.n_suspects; i++) {
		struct member *m = members_find(&t->members, ms->forks.suspects[i]);

		if (!m || m->figures.state == 'Z' || births_find(&ms->forks.births, m->pid) || member_is_ending(t, m))
			continue;
		m->unwatched = t->unwatched = true;
		ms->walking.all_ns = 0;             /* what it started by now as well */
		notices_add(&t->notices, &ms->noticed.unwatched, "perf events do not follow %s (pid %d), a set-user-ID or unreadable program: "
			  "it is walked instead, and what it starts is not counted", m->comm, (int)m->pid);
	}
	ms->forks.n_suspects = 0;
}

static void look_at(struct membership *ms, pid_t pid, pid_t parent)
{
	struct member *m = members_find(&ms->tracked->members, pid);

	if (m && m->exited && visit(ms->visits, m, -1) == -ESRCH)  /* it held this pid before */
		membership_gone(ms, m);
	(void)member_found(ms, pid, members_find(&ms->tracked->members, parent));
}

void membership_meet(struct membership *ms)
{
	struct tracked *t = ms->tracked;
	/* The baseline sees us, just before exec: that is not what the command is called. */
	while (ms->forks.sideband && t->primed && ms->forks.births.at[BIRTHS_WAITING].after) {
		uint32_t i = ms->forks.births.at[BIRTHS_WAITING].after;
		struct birth *b = &ms->forks.births.at[i];

		if (b->name[0])
			births_count_start(ms, b);
		births_met(&ms->forks.births, i);
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
	ms->forks.births.scanned_ns = births_now_ns();
	ms->forks.repair_due = false;
	for (size_t k = 0; k < t->members.n && ms->forks.sideband; k++) {
		const struct member *m = t->members.order[k];
		uint32_t i = births_find(&ms->forks.births, m->pid);

		if (m->gone || m->figures.state == 'Z' || m->unwatched)
			continue;
		if (i == 0 && (i = births_begin(ms, m->pid, m->parent, true)) == 0)
			return;
		births_set_name(ms, i, m->comm);
		if (m->comm[0])
			births_count_start(ms, &ms->forks.births.at[i]);
		births_met(&ms->forks.births, i);
		ms->forks.births.at[i].threads = m->figures.threads;
	}
	for (uint32_t i = BIRTH_LISTS; i < ms->forks.births.unused && ms->forks.sideband; i++) {
		pid_t pid = ms->forks.births.at[i].pid;
		const struct member *m = pid > 0 ? members_find(&t->members, pid) : NULL;

		if (pid > 0 && !ms->forks.births.at[i].ended && (!m || m->figures.state == 'Z'))
			births_note_end(ms, i, 0);
	}
}

void membership_settle_records(struct membership *ms)
{
	if (!births_forget_ended(ms, true))
		return;
	membership_drain(ms);
	(void)births_forget_ended(ms, true);
}
