/*
 * births.c - following what the kernel tells about forks, names and ends of a command's processes.
 *
 * Where it tells them of all the machine, the command's are those that a known process forked.
 *
 * Three kinds of processes need more than that.  One that ended is a zombie until its parent waits: the parent's
 * children file tells.  Of one that exec'd a set-user-ID or unreadable program the end is told (begin_new_exec in
 * fs/exec.c ends its events, and says so to those of CPUs): it lives on unwatched, and is walked with all that it
 * starts.  And when records were lost, one walk through all members finds who lives.
 */
#include "state.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static void read_cpus_and_open(struct tree *t, pid_t pid, int signal)
{
	int cpus[SIDEBAND_CPUS_MAX];
	int r = text_read_at(&t->text, t->src->sys, "devices/system/cpu/online");
	ptrdiff_t n = r < 0 ? r : sideband_parse_cpus(cpus, countof(cpus), t->text.at, t->text.len);

	if (n < 0)
		(void)why_set(&t->no_sideband, (int)n, "cannot tell which CPUs are online: %s", strerror((int)-n));
	else
		(void)!sideband_open(&t->sideband, pid, cpus, (size_t)n, signal, &t->no_sideband);
}

static void give_up(struct tree *t)
{
	(void)why_set(&t->no_sideband, 0, "out of memory");
	tree_tell(t, &t->told_births, "out of memory: processes that come and go between samples are not counted any more");
	births_close(t);
}

void births_open(struct tree *t, const struct root *root, int signal)
{
	/* perf tells of what a process forks from now on: all of the tree only for one that has done nothing yet. */
	if (t->no_children)
		(void)why_set(&t->no_sideband, 0, "children are not tracked");
	else if (!t->ours)
		(void)why_set(&t->no_sideband, 0, "it was not started by us");
	else if (!t->clocks)
		(void)why_set(&t->no_sideband, 0, "/proc has other numbers for processes than we have");
	else
		read_cpus_and_open(t, root->pid, signal);
	if (!t->sideband)
		return;
	t->births.wide = sideband_is_wide(t->sideband);

	uint32_t i = births_add(&t->births, root->pid);

	if (i == 0) {
		give_up(t);
		return;
	}
	memcpy(t->births.at[i].name, root->comm, SIDEBAND_NAME_SIZE - 1);
	t->births.started++;
}

void births_close(struct tree *t)
{
	deaths_close(t);
	sideband_close(t->sideband);
	t->sideband = NULL;
	births_release(&t->births);
}

/* ---- what is told ------------------------------------------------------------------------ */

static void count_start(struct tree *t, struct birth *b)
{
	struct program *p = &t->programs[b->program];

	if (b->counted)
		return;
	b->counted = true;
	p->started++;
	p->gained_started++;
}

/* Of children that ended before they were looked at. */
static void look_for_zombies(struct tree *t, struct member *parent)
{
	struct glance *g = member_glance(t, parent);

	if (g->walk_due)
		return;
	if (t->n_parents == PARENTS) {
		t->walk_all_ns = 0;
		return;
	}
	g->walk_due = 1;
	t->parents[t->n_parents++] = parent->pid;
}

static void end(struct tree *t, uint32_t i)
{
	struct birth *b = &t->births.at[i];
	struct member *m = members_find(&t->members, b->pid);
	struct member *parent = members_find(&t->members, b->parent);

	if (b->parent == 0 && b->program == 0)  /* the command, before its exec: it is named as we are */
		b->program = program_named(t, b->name);
	count_start(t, b);
	deaths_match(t, b);
	t->programs[b->program].gained_ended++;
	t->births.ended++;
	t->births.heard += b->heard;
	if (m && !m->exited)
		m->exited = true;
	else if (parent)
		look_for_zombies(t, parent);
	births_remove(&t->births, i);
}

/* 0: memory is short, and nothing is followed any more. */
static uint32_t begin(struct tree *t, pid_t pid, pid_t parent, bool scanned)
{
	uint32_t i = births_add(&t->births, pid), p = births_find(&t->births, parent);

	if (i == 0) {
		give_up(t);
		return 0;
	}

	struct birth *b = &t->births.at[i];

	b->parent = parent;
	b->scanned = scanned;
	if (p) {
		memcpy(b->name, t->births.at[p].name, sizeof b->name);
		b->program = t->births.at[p].program;
	}
	t->births.started++;
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

static void on_fork(struct tree *t, const struct sideband_record *r)
{
	uint32_t i = births_find(&t->births, r->pid);

	count_tasks(&t->births, 1);
	if (r->pid == r->parent) {              /* a thread */
		if (i)
			t->births.at[i].threads++;
		return;
	}
	if (was_scanned(&t->births, i, r))
		return;
	if (i)                                  /* the end of what held this pid was lost */
		end(t, i);
	i = begin(t, r->pid, r->parent, false);
	if (i)
		t->births.at[i].forked_ns = r->time_ns;
}

/*
 * By a process that is not the tree's, as far as we know: after a loss, until a scan has told who lives, its own fork
 * may have been lost.
 */
static void on_fork_elsewhere(struct tree *t, const struct sideband_record *r)
{
	struct births *b = &t->births;
	uint32_t i = births_find(b, r->pid);
	bool in_doubt = t->repair_due || r->time_ns < b->scanned_ns;

	if (in_doubt)
		count_tasks(b, 1);
	if (was_scanned(b, i, r))
		return;
	b->lost += in_doubt && r->pid != r->parent;
	if (i)
		end(t, i);
}

static void set_name(struct tree *t, uint32_t i, const char *name)
{
	struct birth *b = &t->births.at[i];

	if (strcmp(b->name, name) == 0)
		return;
	(void)snprintf(b->name, sizeof b->name, "%.*s", (int)sizeof b->name - 1, name);
	b->program = program_named(t, b->name);
	if (b->counted) {
		b->counted = false;
		births_wait(&t->births, i);
	}
}

static void on_name(struct tree *t, const struct sideband_record *r)
{
	uint32_t i = r->pid == r->thread ? births_find(&t->births, r->pid) : 0;

	if (i == 0)
		return;
	if (r->exec)
		t->births.at[i].threads = 1;
	set_name(t, i, r->name);
}

static void on_exit_of_thread(struct tree *t, const struct sideband_record *r)
{
	uint32_t i = births_find(&t->births, r->pid);

	if (i && --t->births.at[i].threads == 0)
		end(t, i);
}

static void on_lost(struct tree *t, const struct sideband_record *r)
{
	t->births.lost += r->lost;
	count_tasks(&t->births, r->lost > 0 ? r->lost : UINT64_MAX);
	t->repair_due = true;
	tree_tell(t, &t->told_births, "forks came too fast to follow them all: who lives was found by a scan, "
		  "but more processes may have started and ended than are counted");
}

void births_take(struct tree *t, const struct sideband_record *r)
{
	if (r->kind == SIDEBAND_LOST)
		on_lost(t, r);
	else if (r->pid <= 0)
		return;
	else if (r->kind == SIDEBAND_FORK && t->births.wide && !births_find(&t->births, r->parent))
		on_fork_elsewhere(t, r);
	else if (r->kind == SIDEBAND_FORK)
		on_fork(t, r);
	else if (r->kind == SIDEBAND_NAME)
		on_name(t, r);
	else
		on_exit_of_thread(t, r);
}

void births_drain(struct tree *t)
{
	struct sideband_record r;

	/* Whose end is told from here on was heard of before, or will be now. */
	if (t->sideband)
		sideband_begin(t->sideband);
	deaths_hear(t);
	while (t->sideband && sideband_next(t->sideband, &r))
		births_take(t, &r);
	deaths_settle(t);
}

/* ---- who is looked at --------------------------------------------------------------------- */

/* Lives, although nothing was told of its beginning, or its end was: a record may still be on its way. */
void births_suspect(struct tree *t, const struct member *m)
{
	if (!t->sideband || m->figures.state == 'Z' || m->unwatched || births_find(&t->births, m->pid))
		return;
	if (t->n_suspects < SUSPECTS)
		t->suspects[t->n_suspects++] = m->pid;
}

void births_judge(struct tree *t)
{
	for (size_t i = 0; i < t->n_suspects; i++) {
		struct member *m = members_find(&t->members, t->suspects[i]);

		if (!m || m->figures.state == 'Z' || births_find(&t->births, m->pid) || member_is_ending(t, m))
			continue;
		m->unwatched = t->unwatched = true;
		t->walk_all_ns = 0;             /* what it started by now as well */
		tree_tell(t, &t->told_unwatched, "perf events do not follow %s (pid %d), a set-user-ID or unreadable program: "
			  "it is walked instead, and what it starts is not counted", m->comm, (int)m->pid);
	}
	t->n_suspects = 0;
}

/*
 * After a loss somebody else may have the pid of one of ours whose end was lost: what it forks, of all that the
 * machine forks, looks like the tree's.
 */
static bool descends(struct tree *t, pid_t pid)
{
	struct proc_stat stat;
	char path[32];

	(void)snprintf(path, sizeof path, "%d/stat", (int)pid);
	return text_read_at(&t->text, t->src->proc, path) == 0 &&
	       proc_parse_stat(&stat, t->text.at, t->text.len) == 0 && descendant_found(t, pid, stat.parent);
}

static void look_at(struct tree *t, pid_t pid, pid_t parent)
{
	struct member *m = members_find(&t->members, pid);

	if (m && m->exited && member_read(t, m, -1) == -ESRCH)  /* it held this pid before */
		member_gone(t, m);
	if (t->births.wide && t->repair_due && !descends(t, pid))
		return;
	(void)member_found(t, pid, members_find(&t->members, parent));
}

void births_meet(struct tree *t)
{
	/* The baseline sees us, just before exec: that is not what the command is called. */
	while (t->sideband && t->primed && t->births.at[0].after) {
		uint32_t i = t->births.at[0].after;
		struct birth *b = &t->births.at[i];

		count_start(t, b);
		births_met(&t->births, i);
		look_at(t, b->pid, b->parent);
	}
	for (size_t i = 0; i < t->n_parents && tree_has_children_files(t); i++) {
		struct member *m = members_find(&t->members, t->parents[i]);

		if (m && member_glance(t, m)->walk_due && m->figures.state != 'Z')
			walk_member(t, m);
	}
	t->n_parents = 0;
}

static uint64_t clock_now_ns(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * (uint64_t)NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

void births_repair(struct tree *t)
{
	t->births.scanned_ns = clock_now_ns();
	t->repair_due = false;
	for (size_t k = 0; k < t->members.n && t->sideband; k++) {
		const struct member *m = t->members.order[k];
		uint32_t i = births_find(&t->births, m->pid);

		if (m->gone || m->figures.state == 'Z' || m->unwatched)
			continue;
		if (i == 0 && (i = begin(t, m->pid, m->parent, true)) == 0)
			return;
		set_name(t, i, m->comm);
		count_start(t, &t->births.at[i]);
		births_met(&t->births, i);
		t->births.at[i].threads = m->figures.threads;
	}
	for (uint32_t i = 1; i < t->births.unused && t->sideband; i++) {
		pid_t pid = t->births.at[i].pid;
		const struct member *m = pid > 0 ? members_find(&t->members, pid) : NULL;

		if (pid > 0 && (!m || m->figures.state == 'Z'))
			end(t, i);
	}
}
