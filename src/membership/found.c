/* found.c - a process that a record, a list or a scan found: whether it is a member, and whether perf follows it. */
#include "membership_state.h"

#include <sys/wait.h>

/* Notes a living member without a fork record, or with an exit record.  A record may still be on its way. */
void membership_suspect(struct membership *ms, const struct member *m)
{
	if (!ms->forks.sideband || m->figures.state == 'Z' || m->unwatched ||
	    fork_events_find(&ms->forks.fork_events, m->pid))
		return;
	if (ms->forks.n_suspects < SUSPECTS)
		ms->forks.suspects[ms->forks.n_suspects++] = m->pid;
}

/*
 * Adds a process that was found.  A known member stays as it is.  A process with a recycled pid is found when its
 * predecessor is missed (membership_gone).
 */
struct member *member_found(struct membership *ms, pid_t pid, struct member *parent)
{
	struct tracked *t = ms->tracked;
	uint32_t fork_event = fork_events_find(&ms->forks.fork_events, pid);
	struct member *m = members_find(&t->members, pid);

	if (m || pid == t->self || pid == t->starter)
		return m;
	m = members_add(&t->members, pid);
	if (!m) {
		notices_add(&t->notices, &ms->noticed.memory, "out of memory: some processes are left out");
		return NULL;
	}
	m->root = parent ? parent->root : 0;
	m->branch = fork_event ? ms->forks.fork_events.at[fork_event].branch :
		    parent ? branch_of_child(ms->accounts, parent->branch) : BRANCH_UNKNOWN;
	m->fresh = t->primed || t->ours;
	m->unwatched = parent && parent->unwatched;
	m->forked_ns = fork_event ? ms->forks.fork_events.at[fork_event].forked_ns : 0;
	if (visit(ms->visits, m, -1) < 0) {             /* it has exited already */
		m->gone = ms->holes = true;
		return NULL;
	}
	membership_suspect(ms, m);
	return m;
}

/* Whether another thread of ours started it (walk_self).  Linux before 4.7 cannot report it. */
static bool is_of_another_thread(pid_t pid)
{
	siginfo_t info;

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT | __WNOTHREAD) < 0 && errno == ECHILD;
}

struct member *descendant_found(struct membership *ms, pid_t pid, pid_t parent)
{
	struct tracked *t = ms->tracked;
	struct member *m = members_find(&t->members, parent);
	bool came_to_us = t->ours && parent == t->self && !(t->self == getpid() && is_of_another_thread(pid));

	return m || came_to_us ? member_found(ms, pid, m) : NULL;
}
