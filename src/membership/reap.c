/* reap.c - our children that exited: read before they are reaped, then with the figures of wait4. */
#include "membership_state.h"

#include <sys/resource.h>

/*
 * Inherited events record nothing of the command before its exec, so its exit without an exec has no record.  That is
 * the case if the command is a zombie and the rings hold no exit of it (perf_event_exit_task() comes first in
 * do_exit()).
 */
static void end_unreported(struct membership *ms, const struct member *m)
{
	membership_drain(ms);

	if (fork_events_find(&ms->forks.fork_events, m->pid))
		fork_events_take(ms, &(struct sideband_record){
			.kind = SIDEBAND_EXIT, .pid = m->pid, .thread = m->pid
		});
}

void membership_zombie(struct membership *ms, pid_t pid)
{
	struct tracked *t = ms->tracked;
	struct member *m = members_find(&t->members, pid);

	t->now_ns = t->src->monotonic_ns(t->src->clock);
	if (!m) {
		m = descendant_found(ms, pid, t->self);
	} else if (visit(ms->visits, m, -1) == -ESRCH) {        /* the zombie has a recycled pid */
		membership_gone(ms, m);
		m = members_find(&t->members, pid);
	}
	if (m)
		visit_last(ms->visits, m);
	if (m && t->ours && pid == t->root)
		end_unreported(ms, m);
}

static uint64_t timeval_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * (uint64_t)NS_PER_SECOND + (uint64_t)t.tv_usec * 1000;
}

/* wait4 returns the use of the process and of its waited children in one figure; the own part is known. */
static void set_exact(struct membership *ms, struct member *m, const struct rusage *usage)
{
	uint64_t user_ns = timeval_ns(usage->ru_utime), system_ns = timeval_ns(usage->ru_stime);
	uint64_t waited[APART] = {
		[CPU_NS] = user_ns + system_ns, [USER_NS] = user_ns, [SYSTEM_NS] = system_ns,
		[MINOR_FAULTS] = (uint64_t)usage->ru_minflt, [MAJOR_FAULTS] = (uint64_t)usage->ru_majflt,
	};
	struct figures now = m->figures;

	for (size_t k = 0; k < APART; k++)
		waited[k] -= waited[k] < now.own[k] ? waited[k] : now.own[k];
	now.own[VOLUNTARY] = (uint64_t)usage->ru_nvcsw;
	now.own[INVOLUNTARY] = (uint64_t)usage->ru_nivcsw;
	now.has_switches = true;
	(void)!accounts_set_waited(ms->accounts, m, waited);    /* without memory: as last seen */
	accounts_set(ms->accounts, m, &now);
}

void membership_reaped(struct membership *ms, pid_t pid, const struct rusage *usage)
{
	struct tracked *t = ms->tracked;
	struct member *m = members_find(&t->members, pid);
	int64_t peak = (int64_t)usage->ru_maxrss * 1024;

	if (!m || t->no_children) {                     /* without children: their part of the usage is unknown */
		if (m)
			memory_peak_missed(ms->memory);
		return;
	}

	bool childless = member_waited(m, MINOR_FAULTS) == 0;

	if (m->pass != t->pass)
		visit_new_pass(t, m);
	memory_reaped(ms->memory, m, peak, childless);
	set_exact(ms, m, usage);
	accounts_set_exact(ms->accounts, m);
	m->reaped = true;
	membership_gone(ms, m);
}
