/* records.c - what perf's records say of forks, names and ends of a command's processes. */
#include "membership_state.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void births_count_start(struct membership *ms, struct birth *b)
{
	if (b->counted)
		return;
	b->counted = true;
	program_count_start(ms->accounts, b->program);
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

/* It ended before it was looked at. */
static void lose_child(struct membership *ms, struct member *parent)
{
	parent->lost_child = true;
	look_for_zombies(ms, parent);
}

void births_note_end(struct membership *ms, uint32_t i, uint64_t time_ns)
{
	struct birth *b = &ms->forks.births.at[i];
	struct member *m = members_find(&ms->tracked->members, b->pid);
	struct member *parent = members_find(&ms->tracked->members, b->parent);

	if (b->name[0])                         /* else the command ended before its exec */
		births_count_start(ms, b);
	if (b->parent == 0)                     /* no reading need have found the command alive */
		accounts_name_root(ms->accounts, b->pid, b->name);
	program_count_end(ms->accounts, b->program);
	ms->forks.births.ended++;
	if (m && !m->exited)
		m->exited = true;
	else if (parent)
		lose_child(ms, parent);
	b->ended_ns = time_ns;
	births_end(&ms->forks.births, i);
}

/* 0: memory is short, and nothing is followed any more. */
uint32_t births_begin(struct membership *ms, pid_t pid, pid_t parent, bool scanned)
{
	uint32_t i = births_add(&ms->forks.births, pid), p = births_find(&ms->forks.births, parent);

	if (i == 0) {
		births_give_up(ms);
		return 0;
	}

	struct birth *b = &ms->forks.births.at[i];

	b->parent = parent;
	b->scanned = scanned;
	if (p) {
		memcpy(b->name, ms->forks.births.at[p].name, sizeof b->name);
		b->program = ms->forks.births.at[p].program;
	}
	ms->forks.births.started++;
	return i;
}

static void count_tasks(struct births *b, uint64_t n)
{
	b->tasks = b->tasks < UINT64_MAX - n ? b->tasks + n : UINT64_MAX;
}

/* A scan found it before its fork was told. */
static bool was_scanned(const struct births *b, uint32_t i, const struct sideband_record *fork)
{
	return i && b->at[i].scanned && fork->time_ns < b->scanned_ns;
}

static void on_fork(struct membership *ms, const struct sideband_record *r)
{
	uint32_t i = births_find(&ms->forks.births, r->pid);

	count_tasks(&ms->forks.births, 1);
	if (r->pid == r->parent) {              /* a thread */
		if (i)
			ms->forks.births.at[i].threads++;
		return;
	}
	if (was_scanned(&ms->forks.births, i, r))
		return;

	uint32_t ended = births_find_ended(&ms->forks.births, r->pid);

	if (ended)
		births_forget(ms, ended);
	if (i)                                  /* the end of what held this pid was lost */
		births_note_end(ms, i, r->time_ns);
	i = births_begin(ms, r->pid, r->parent, false);
	if (i)
		ms->forks.births.at[i].forked_ns = r->time_ns;
}

void births_set_name(struct membership *ms, uint32_t i, const char *name)
{
	struct birth *b = &ms->forks.births.at[i];

	if (strcmp(b->name, name) == 0)
		return;
	(void)snprintf(b->name, sizeof b->name, "%.*s", (int)sizeof b->name - 1, name);
	b->program = program_named(ms->accounts, b->name);
	b->counted = false;
	births_wait(&ms->forks.births, i);
}

static void on_name(struct membership *ms, const struct sideband_record *r)
{
	uint32_t i = r->pid == r->thread ? births_find(&ms->forks.births, r->pid) : 0;

	if (i == 0)
		return;
	if (r->exec)
		ms->forks.births.at[i].threads = 1;
	ms->tracked->command.executed |= r->exec && r->pid == ms->tracked->root;
	births_set_name(ms, i, r->name);
}

static void on_exit_of_thread(struct membership *ms, const struct sideband_record *r)
{
	uint32_t i = births_find(&ms->forks.births, r->pid);

	if (i == 0)
		return;
	ms->forks.births.at[i].ends++;
	if (--ms->forks.births.at[i].threads == 0)
		births_note_end(ms, i, r->time_ns);
}

static void on_lost(struct membership *ms, const struct sideband_record *r)
{
	ms->forks.births.lost += r->lost;
	count_tasks(&ms->forks.births, r->lost > 0 ? r->lost : UINT64_MAX);
	ms->forks.repair_due = true;
	notices_add(&ms->tracked->notices, &ms->noticed.forks, "forks came too fast to follow them all: who lives was found by a scan, "
		  "but more processes may have started and ended than are counted");
}

void births_take(struct membership *ms, const struct sideband_record *r)
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
		births_take_cpu_time(ms, r);
	else
		on_exit_of_thread(ms, r);
}

uint64_t births_now_ns(void)
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
	ms->forks.births.drained_ns = births_now_ns();
	sideband_begin(ms->forks.sideband);
	while (ms->forks.sideband && sideband_next(ms->forks.sideband, &r))
		births_take(ms, &r);
	(void)births_forget_ended(ms, false);
}
