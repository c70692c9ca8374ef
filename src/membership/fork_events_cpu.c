/*
 * fork_events_cpu.c - CPU time of processes that exited before a sample read all of it, counted for their programs.
 *
 * perf writes one READ record for each thread, after the record of the thread's exit.  An exited process is kept until
 * all of its records have arrived, so that no record counts for another process with the same pid.
 */
#include "membership_state.h"

#include <signal.h>

/* The fork event of this pid that can still get records: of an exited process before that of a living one. */
static uint32_t find_last(const struct fork_events *b, pid_t pid)
{
	uint32_t ended = fork_events_find_ended(b, pid);

	return ended ? ended : fork_events_find(b, pid);
}

static bool has_all_records(const struct fork_event *b)
{
	return b->cpu_times >= b->ends;
}

/* Counts for its program the CPU time that no sample has counted. */
static void count_unseen(struct accounts *a, struct fork_event *b)
{
	branch_count_ended_cpu(a, b->branch, &b->counted_ns, b->cpu_ns, b->ends);
	/* One task of a run has no record (sideband.h), and records may be lost.  The upper bound is its lifetime. */
	if (!has_all_records(b) && b->forked_ns > 0 && b->ended_ns > b->forked_ns)
		branch_count_missing(a, b->branch, (b->ended_ns - b->forked_ns) * b->ends);
}

void fork_events_forget(struct membership *ms, uint32_t i)
{
	struct fork_event *b = &ms->forks.fork_events.at[i];
	struct member *m = members_find(&ms->tracked->members, b->pid);

	if (m && m->exited)
		fork_events_leave(ms, m);
	if (!b->seen)
		count_unseen(ms->accounts, b);
	if (m && m->exited && !m->account.found_ended)
		m->account.counted_ns = b->counted_ns;
	fork_events_remove(&ms->forks.fork_events, i);
}

void fork_events_leave(struct membership *ms, const struct member *m)
{
	uint32_t i = find_last(&ms->forks.fork_events, m->pid);

	if (i == 0 || m->account.found_ended)
		return;
	ms->forks.fork_events.at[i].counted_ns = m->account.counted_ns;
	ms->forks.fork_events.at[i].seen = m->reaped || m->figures.state == 'Z';
}

/*
 * On a busy machine records may arrive long after the exit.  Once the process is reaped, all of them are written, and
 * the next drain reads them.
 */
static bool is_complete(const struct membership *ms, struct fork_event *b)
{
	enum { LONG_SECONDS = 10 };
	bool complete = has_all_records(b) || b->gone ||
			b->ended_ns + (uint64_t)(LONG_SECONDS * NS_PER_SECOND) < ms->forks.fork_events.drained_ns;

	b->gone = b->gone || (!complete && kill(b->pid, 0) < 0 && errno == ESRCH);
	return complete;
}

bool fork_events_forget_ended(struct membership *ms, bool members_too)
{
	struct fork_events *b = &ms->forks.fork_events;
	bool again = false;
	uint32_t next;

	for (uint32_t i = b->buckets ? b->at[FORK_EVENTS_ENDED].after : FORK_EVENTS_ENDED; i != FORK_EVENTS_ENDED;
	     i = next) {
		const struct member *m = members_find(&ms->tracked->members, b->at[i].pid);

		next = b->at[i].after;
		if (m && !(members_too && m->figures.state == 'Z'))
			continue;
		if (is_complete(ms, &b->at[i]))
			fork_events_forget(ms, i);
		else
			again |= b->at[i].gone;
	}
	return again;
}

/* The record follows the exit of its thread, which may be the exit of the process. */
void fork_events_take_cpu_time(struct membership *ms, const struct sideband_record *r)
{
	uint32_t i = find_last(&ms->forks.fork_events, r->pid);

	if (i == 0)
		return;
	ms->forks.fork_events.at[i].cpu_ns += r->cpu_ns;
	ms->forks.fork_events.at[i].cpu_times++;
}
