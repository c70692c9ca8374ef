/* records.c - perf's records of forks, names and exits of a command's processes. */
#include "membership_state.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void fork_events_count_start(struct membership *ms, struct fork_event *b)
{
	if (b->counted)
		return;
	b->counted = true;
	branch_count_start(ms->accounts, b->branch);
}

static void look_for_zombies(struct membership *ms, struct member *parent)
{
	struct glance *g = member_glance(ms->tracked, parent);

	if (g->walk_due)
		return;
	if (ms->forks.n_parents == PARENTS) {
		ms->walking.all_ns = 0;
		return;
	}
	g->walk_due = 1;
	ms->forks.parents[ms->forks.n_parents++] = parent->pid;
}

/* The child exited before it was read. */
static void lose_child(struct membership *ms, struct member *parent)
{
	parent->lost_child = true;
	look_for_zombies(ms, parent);
}

void fork_events_note_end(struct membership *ms, uint32_t i, uint64_t time_ns)
{
	struct fork_event *b = &ms->forks.fork_events.at[i];
	struct member *m = members_find(&ms->tracked->members, b->pid);
	struct member *parent = members_find(&ms->tracked->members, b->parent);

	if (b->name[0])                         /* else the command exited before its exec */
		fork_events_count_start(ms, b);
	if (b->parent == 0)                     /* perhaps no reading found the command alive */
		accounts_name_root(ms->accounts, b->pid, b->name);
	branch_count_end(ms->accounts, b->branch);
	ms->forks.fork_events.ended++;
	if (m && !m->exited)
		m->exited = true;
	else if (parent)
		lose_child(ms, parent);
	b->ended_ns = time_ns;
	fork_events_end(&ms->forks.fork_events, i);
}

/* 0: memory is short, and nothing is followed from now on. */
uint32_t fork_events_begin(struct membership *ms, pid_t pid, pid_t parent, bool scanned)
{
	uint32_t i = fork_events_add(&ms->forks.fork_events, pid), p = fork_events_find(&ms->forks.fork_events, parent);
	const struct member *member = p ? NULL : members_find(&ms->tracked->members, parent);

	if (i == 0) {
		fork_events_give_up(ms);
		return 0;
	}

	struct fork_event *b = &ms->forks.fork_events.at[i];

	b->parent = parent;
	b->scanned = scanned;
	if (p) {
		memcpy(b->name, ms->forks.fork_events.at[p].name, sizeof b->name);
		b->branch = branch_of_child(ms->accounts, ms->forks.fork_events.at[p].branch);
	} else {
		b->branch = member ? branch_of_child(ms->accounts, member->branch) : BRANCH_UNKNOWN;
	}
	ms->forks.fork_events.started++;
	return i;
}

static void count_tasks(struct fork_events *b, uint64_t n)
{
	b->tasks = b->tasks < UINT64_MAX - n ? b->tasks + n : UINT64_MAX;
}

/* A scan found it before its fork record was read. */
static bool was_scanned(const struct fork_events *b, uint32_t i, const struct sideband_record *fork)
{
	return i && b->at[i].scanned && fork->time_ns < b->scanned_ns;
}

static void on_fork(struct membership *ms, const struct sideband_record *r)
{
	uint32_t i = fork_events_find(&ms->forks.fork_events, r->pid);

	count_tasks(&ms->forks.fork_events, 1);
	if (r->pid == r->parent) {              /* a thread */
		if (i)
			ms->forks.fork_events.at[i].threads++;
		return;
	}
	if (was_scanned(&ms->forks.fork_events, i, r))
		return;

	uint32_t ended = fork_events_find_ended(&ms->forks.fork_events, r->pid);

	if (ended)
		fork_events_forget(ms, ended);
	if (i)                                  /* the exit record of its predecessor was lost */
		fork_events_note_end(ms, i, r->time_ns);
	i = fork_events_begin(ms, r->pid, r->parent, false);
	if (i)
		ms->forks.fork_events.at[i].forked_ns = r->time_ns;
}

void fork_events_set_name(struct membership *ms, uint32_t i, const char *name)
{
	struct fork_event *b = &ms->forks.fork_events.at[i];

	if (strcmp(b->name, name) == 0)
		return;
	(void)snprintf(b->name, sizeof b->name, "%.*s", (int)sizeof b->name - 1, name);
	b->branch = branch_named(ms->accounts, b->branch, b->name);
	b->counted = false;
	fork_events_wait(&ms->forks.fork_events, i);
}

static void on_name(struct membership *ms, const struct sideband_record *r)
{
	uint32_t i = r->pid == r->thread ? fork_events_find(&ms->forks.fork_events, r->pid) : 0;

	if (i == 0)
		return;
	if (r->exec)
		ms->forks.fork_events.at[i].threads = 1;
	ms->tracked->command.executed |= r->exec && r->pid == ms->tracked->root;
	fork_events_set_name(ms, i, r->name);
}

static void on_exit_of_thread(struct membership *ms, const struct sideband_record *r)
{
	uint32_t i = fork_events_find(&ms->forks.fork_events, r->pid);

	if (i == 0)
		return;
	ms->forks.fork_events.at[i].ends++;
	if (--ms->forks.fork_events.at[i].threads == 0)
		fork_events_note_end(ms, i, r->time_ns);
}

static void on_lost(struct membership *ms, const struct sideband_record *r)
{
	ms->forks.fork_events.lost += r->lost;
	count_tasks(&ms->forks.fork_events, r->lost > 0 ? r->lost : UINT64_MAX);
	ms->forks.repair_due = true;
	notices_add(&ms->tracked->notices, &ms->noticed.forks, "forks came too fast to record all of them: a scan found the living processes, "
		  "but more processes can have started and exited than are counted");
}

void fork_events_take(struct membership *ms, const struct sideband_record *r)
{
	if (r->kind == SIDEBAND_LOST)
		on_lost(ms, r);
	else if (r->pid <= 0)
		return;
	else if (r->kind == SIDEBAND_FORK)
		on_fork(ms, r);
	else if (r->kind == SIDEBAND_NAME)
		on_name(ms, r);
	else if (r->kind == SIDEBAND_CPU_TIME)
		fork_events_take_cpu_time(ms, r);
	else
		on_exit_of_thread(ms, r);
}

uint64_t fork_events_now_ns(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * (uint64_t)NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

void membership_drain(struct membership *ms)
{
	struct sideband_record r;

	if (!ms->forks.sideband)
		return;
	ms->forks.fork_events.drained_ns = fork_events_now_ns();
	sideband_begin(ms->forks.sideband);
	while (ms->forks.sideband && sideband_next(ms->forks.sideband, &r))
		fork_events_take(ms, &r);
	(void)fork_events_forget_ended(ms, false);
}
