/* ends.c - the ends of processes, as they are seen or reaped by us, and what is told about the tree. */
#include "state.h"

#include <string.h>
#include <sys/resource.h>

const char *tree_notice(struct tree *t)
{
	return notices_next(&t->notices);
}

/*
 * Of the command inherited events tell nothing before its exec, so not that it ended without one, either: it did if
 * no end of it is in the rings when it is a zombie (perf_event_exit_task() comes first in do_exit()).
 */
static void end_untold(struct tree *t, const struct member *m)
{
	births_drain(t);

	if (births_find(&t->forks.births, m->pid))
		births_take(t, &(struct sideband_record){ .kind = SIDEBAND_EXIT, .pid = m->pid, .thread = m->pid });
}

void tree_zombie(struct tree *t, pid_t pid)
{
	struct member *m = members_find(&t->members, pid);

	t->now_ns = t->src->monotonic_ns(t->src->clock);
	if (!m) {
		m = descendant_found(t, pid, t->self);
	} else if (member_read(t, m, -1) == -ESRCH) {           /* what ends now holds a recycled pid */
		member_gone(t, m);
		m = members_find(&t->members, pid);
	}
	if (m)
		member_read_last(t, m);
	if (m && t->ours && pid == t->root[0].pid)
		end_untold(t, m);
}

static uint64_t timeval_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * (uint64_t)NS_PER_SECOND + (uint64_t)t.tv_usec * 1000;
}

/* wait4 tells own and waited children's use in one figure; the own part is known. */
static void set_exact(struct tree *t, struct member *m, const struct rusage *usage)
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
	now.has_switches = t->ever[HAS_SWITCHES] = true;
	(void)!member_set_waited(t, m, waited);         /* without memory: what was seen of it */
	member_set(t, m, &now);
}

void tree_reaped(struct tree *t, pid_t pid, const struct rusage *usage)
{
	struct member *m = members_find(&t->members, pid);
	int64_t peak = (int64_t)usage->ru_maxrss * 1024;

	if (!m || t->no_children) {                     /* without children, what they had is not to be told apart */
		t->peak.missed |= m && t->no_children;
		return;
	}

	bool childless = member_waited(m, MINOR_FAULTS) == 0;

	if (m->pass != t->pass)
		member_new_pass(t, m);
	/*
	 * ru_maxrss is the largest among the process, its children, and what it was before it exec'd: as large as
	 * its parent (exec_mmap in fs/exec.c).  So it is a lower bound of the tree's peak; that of the command, which
	 * we forked, is its own if it was one program.
	 */
	tree_peak(t, peak, PEAK_REAPED);
	if (childless && !m->renewed && m->pid == t->root[m->root].pid)
		member_peak(t, m, peak);
	set_exact(t, m, usage);
	t->root[m->root].live[CPU_NS] -= m->remainder_ns;
	m->remainder_ns = 0;
	m->reaped = true;
	member_gone(t, m);
}

void tree_tell_end(struct tree *t, struct member *m, bool exact)
{
	t->peak.missed |= t->primed && !t->ours;       /* of who is not ours to wait for it ends with its memory */
	if (m->told || m->reads == 0)
		return;
	m->told = true;
	if (t->ends.n == EXITS) {                      /* the oldest gives way */
		t->ends.first = (t->ends.first + 1) % EXITS;
		t->ends.n--;
	}

	struct tree_exit *e = &t->ends.at[(t->ends.first + t->ends.n++) % EXITS];

	*e = (struct tree_exit){
		.pid = m->pid, .parent = m->parent, .exact = exact,
		.start_seconds = (double)m->start_ticks * (double)t->ns_per_tick / 1e9,
		.seen_seconds = (double)t->src->monotonic_ns(t->src->clock) / 1e9,
		.cpu_seconds = (double)m->figures.own[CPU_NS] / 1e9,
		.peak_rss_bytes = m->peak_rss > 0 ? (double)m->peak_rss : NONE,
	};
	memcpy(e->name, m->comm, sizeof m->comm);
}

bool tree_next_exit(struct tree *t, struct tree_exit *ret)
{
	if (t->ends.n == 0)
		return false;
	*ret = t->ends.at[t->ends.first];
	t->ends.first = (t->ends.first + 1) % EXITS;
	t->ends.n--;
	return true;
}
