/* gone.c - removes a member that no longer exists. */
#include "membership_state.h"

static bool room_for_one_more(struct membership *ms)
{
	struct leaving *leaving = &ms->leaving;

	if (leaving->n < leaving->room)
		return true;

	size_t room = size_max(64, 2 * leaving->room);
	struct member **gone = realloc(leaving->gone, room * sizeof(struct member *));

	if (gone)
		leaving->gone = gone;
	if (!gone || !accounts_reserve(ms->accounts, room))
		return false;
	leaving->room = room;
	return true;
}

/* The pid may be in use again, by a new child of the tree. */
static void look_for_successor(struct membership *ms, pid_t pid)
{
	struct tracked *t = ms->tracked;
	struct proc_stat stat;
	struct member probe = { .pid = pid, .fd = { -1, -1, -1, -1 } };

	if (t->no_children || member_text(t, &probe, FILE_STAT) < 0 ||
	    proc_parse_stat(&stat, t->text.at, t->text.len) < 0)
		return;
	(void)descendant_found(ms, pid, stat.parent);
}

void membership_drop(struct membership *ms, struct member *m)
{
	memory_leave(ms->memory, m);
	accounts_drop(ms->accounts, m);
}

void membership_gone(struct membership *ms, struct member *m)
{
	membership_ended(ms, m, m->reaped);
	fork_events_leave(ms, m);
	memory_ended(ms->memory, m);
	m->gone = m->news = ms->holes = true;
	if (room_for_one_more(ms)) {
		ms->leaving.gone[ms->leaving.n++] = m;
	} else {
		accounts_keep(ms->accounts, m);
		membership_drop(ms, m);
	}
	if (!m->reaped)
		look_for_successor(ms, m->pid);
}
