/*
 * births_cpu.c - CPU time of processes that ended before a sample read all of it, for their programs.
 *
 * perf writes one READ record for each thread, after the record of the thread's end.  A process that ended is
 * kept until all of its records are there, so that a record never counts for another with the same pid.
 */
#include "state.h"

#include <signal.h>

/* The one of this pid whose records may still come: what ended before what lives. */
static uint32_t find_last(const struct births *b, pid_t pid)
{
	uint32_t ended = births_find_ended(b, pid);

	return ended ? ended : births_find(b, pid);
}

static bool has_all_records(const struct birth *b)
{
	return b->cpu_times >= b->ends;
}

/* What no sample has counted of its CPU time counts for its program now. */
static void count_unseen(struct tree *t, struct birth *b)
{
	struct program *p = &t->programs.at[b->program];
	uint64_t unseen = program_count_cpu(p, &b->counted_ns, b->cpu_ns);

	t->unseen_ns += unseen;
	if (unseen > 0) {
		p->gained_unseen += b->ends;
		p->gained_unseen_ns += unseen;
	}
	/* One task of a run has no record (sideband.h), and records may be lost: at most as long as it lived. */
	if (!has_all_records(b) && b->forked_ns > 0 && b->ended_ns > b->forked_ns) {
		p->gained_missing_ns += (b->ended_ns - b->forked_ns) * b->ends;
		t->unread_ns += (b->ended_ns - b->forked_ns) * b->ends;
	}
}

void births_forget(struct tree *t, uint32_t i)
{
	struct birth *b = &t->forks.births.at[i];
	struct member *m = members_find(&t->members, b->pid);

	if (m && m->exited)
		births_leave(t, m);
	if (!b->seen)
		count_unseen(t, b);
	if (m && m->exited && !m->found_ended)
		m->counted_ns = b->counted_ns;
	births_remove(&t->forks.births, i);
}

void births_leave(struct tree *t, const struct member *m)
{
	uint32_t i = find_last(&t->forks.births, m->pid);

	if (i == 0 || m->found_ended)
		return;
	t->forks.births.at[i].counted_ns = m->counted_ns;
	t->forks.births.at[i].seen = m->reaped || m->figures.state == 'Z';
}

/*
 * Records may come long after the end where others want the CPU.  Once the process is reaped, all are written, and the
 * next drain takes them.
 */
static bool is_complete(const struct tree *t, struct birth *b)
{
	enum { LONG_SECONDS = 10 };
	bool complete = has_all_records(b) || b->gone ||
			b->ended_ns + (uint64_t)(LONG_SECONDS * NS_PER_SECOND) < t->forks.births.drained_ns;

	b->gone = b->gone || (!complete && kill(b->pid, 0) < 0 && errno == ESRCH);
	return complete;
}

bool births_forget_ended(struct tree *t, bool members_too)
{
	struct births *b = &t->forks.births;
	bool again = false;
	uint32_t next;

	for (uint32_t i = b->buckets ? b->at[BIRTHS_ENDED].after : BIRTHS_ENDED; i != BIRTHS_ENDED; i = next) {
		const struct member *m = members_find(&t->members, b->at[i].pid);

		next = b->at[i].after;
		if (m && !(members_too && m->figures.state == 'Z'))
			continue;
		if (is_complete(t, &b->at[i]))
			births_forget(t, i);
		else
			again |= b->at[i].gone;
	}
	return again;
}

void births_settle(struct tree *t)
{
	if (!births_forget_ended(t, true))
		return;
	births_drain(t);
	(void)births_forget_ended(t, true);
}

/* It comes after the end of its thread, which may be the process's. */
void births_take_cpu_time(struct tree *t, const struct sideband_record *r)
{
	uint32_t i = find_last(&t->forks.births, r->pid);

	if (i == 0)
		return;
	t->forks.births.at[i].cpu_ns += r->cpu_ns;
	t->forks.births.at[i].cpu_times++;
}
