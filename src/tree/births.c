/*
 * births.c - following what the kernel tells about forks, names and ends of a command's processes.
 *
 * Three kinds of processes need more than that.  One that ended is a zombie until its parent waits: the parent's
 * children file tells.  Of one that exec'd a set-user-ID or unreadable program the end is told (begin_new_exec in
 * fs/exec.c ends its events): it lives on unwatched, and is walked with all that it
 * starts.  And when records were lost, one walk through all members finds who lives.
 */
#include "state.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../kernel/cgroup_path.h"

/* The CPUs that the job's control group may use (cpuset): how many; -errno: not told. */
static ptrdiff_t read_cpuset(struct tree *t, int *ret, size_t room)
{
	struct cgroup_finder finder = { .src = t->src };
	int r = cgroup_find(&finder, &t->text);
	const struct cgroup_place *place = cgroup_place_of(&finder, HIERARCHY_CPUSET);

	if (r < 0 || !cgroup_is_found(place))
		return r < 0 ? r : -ENOENT;

	int fd = cgroup_open_nearest(t->src, place, cgroup_is_v2(&finder, place) ? "cpuset.cpus.effective" : "cpuset.effective_cpus");

	r = fd < 0 ? fd : text_read(&t->text, fd);
	close_p(&fd);
	return r < 0 ? r : sideband_parse_cpus(ret, room, t->text.at, t->text.len);
}

static void read_cpus_and_open(struct tree *t, pid_t pid, int signal)
{
	int cpus[PERF_CPUS_MAX];
	ptrdiff_t most = t->forks.cpus;
	int r = text_read_at(&t->text, t->src->sys, "devices/system/cpu/online");
	ptrdiff_t n = r < 0 ? r : sideband_parse_cpus(cpus, countof(cpus), t->text.at, t->text.len);

	/* Looked at where it matters: it takes as long as all the rest. */
	if (n > most) {
		ptrdiff_t allowed = read_cpuset(t, cpus, countof(cpus));

		n = allowed > 0 && allowed < n ? allowed : n;
	}
	if (n <= 0)
		(void)why_set(&t->forks.refusal, (int)n, "cannot tell which CPUs are online: %s", strerror((int)-n));
	else if (n > most)
		(void)why_set(&t->forks.refusal, 0, "%td CPUs may be used: events for more than %td would slow forks (--perf-cpus)",
			      n, most);
	else
		(void)!sideband_open(&t->forks.events, pid, cpus, (size_t)n, signal, &t->forks.refusal);
	t->forks.sideband = t->forks.events;
}

static void give_up(struct tree *t)
{
	(void)why_set(&t->forks.refusal, 0, "out of memory");
	notices_add(&t->notices, &t->noticed.forks, "out of memory: processes that come and go between samples are not counted any more");
	births_close(t);
}

void births_open(struct tree *t, const struct root *root, int signal)
{
	/* perf tells of what a process forks from now on: all of the tree only for one that has done nothing yet. */
	if (t->no_children)
		(void)why_set(&t->forks.refusal, 0, "children are not tracked");
	else if (!t->ours)
		(void)why_set(&t->forks.refusal, 0, "it was not started by us");
	else if (!t->clocks)
		(void)why_set(&t->forks.refusal, 0, "/proc has other numbers for processes than we have");
	else
		read_cpus_and_open(t, root->pid, signal);
	if (!t->forks.sideband)
		return;

	uint32_t i = births_add(&t->forks.births, root->pid);

	if (i == 0) {
		give_up(t);
		return;
	}
	t->forks.births.started++;
}

void births_close(struct tree *t)
{
	t->forks.sideband = NULL;
	births_release(&t->forks.births);
}

/* ---- what is told ------------------------------------------------------------------------ */

static void count_start(struct tree *t, struct birth *b)
{
	struct program *p = &t->programs.at[b->program];

	if (b->counted)
		return;
	b->counted = true;
	p->started++;
	p->gained_started++;
}

static void name_root(struct tree *t, const struct birth *b)
{
	struct root *root = &t->root[0];

	if (b->pid == root->pid && b->name[0])
		(void)snprintf(root->comm, sizeof root->comm, "%s", b->name);
}

static void look_for_zombies(struct tree *t, struct member *parent)
{
	struct glance *g = member_glance(t, parent);

	if (g->walk_due)
		return;
	if (t->forks.n_parents == PARENTS) {
		t->walking.all_ns = 0;
		return;
	}
	g->walk_due = 1;
	t->forks.parents[t->forks.n_parents++] = parent->pid;
}

/* It ended before it was looked at. */
static void lose_child(struct tree *t, struct member *parent)
{
	parent->lost_child = true;
	look_for_zombies(t, parent);
}

static void end(struct tree *t, uint32_t i, uint64_t time_ns)
{
	struct birth *b = &t->forks.births.at[i];
	struct member *m = members_find(&t->members, b->pid);
	struct member *parent = members_find(&t->members, b->parent);

	if (b->name[0])                         /* else the command ended before its exec */
		count_start(t, b);
	if (b->parent == 0)                     /* no reading need have found the command alive */
		name_root(t, b);
	t->programs.at[b->program].gained_ended++;
	t->forks.births.ended++;
	if (m && !m->exited)
		m->exited = true;
	else if (parent)
		lose_child(t, parent);
	b->ended_ns = time_ns;
	births_end(&t->forks.births, i);
}

/* 0: memory is short, and nothing is followed any more. */
static uint32_t begin(struct tree *t, pid_t pid, pid_t parent, bool scanned)
{
	uint32_t i = births_add(&t->forks.births, pid), p = births_find(&t->forks.births, parent);

	if (i == 0) {
		give_up(t);
		return 0;
	}

	struct birth *b = &t->forks.births.at[i];

	b->parent = parent;
	b->scanned = scanned;
	if (p) {
		memcpy(b->name, t->forks.births.at[p].name, sizeof b->name);
		b->program = t->forks.births.at[p].program;
	}
	t->forks.births.started++;
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
	uint32_t i = births_find(&t->forks.births, r->pid);

	count_tasks(&t->forks.births, 1);
	if (r->pid == r->parent) {              /* a thread */
		if (i)
			t->forks.births.at[i].threads++;
		return;
	}
	if (was_scanned(&t->forks.births, i, r))
		return;

	uint32_t ended = births_find_ended(&t->forks.births, r->pid);

	if (ended)
		births_forget(t, ended);
	if (i)                                  /* the end of what held this pid was lost */
		end(t, i, r->time_ns);
	i = begin(t, r->pid, r->parent, false);
	if (i)
		t->forks.births.at[i].forked_ns = r->time_ns;
}

static void set_name(struct tree *t, uint32_t i, const char *name)
{
	struct birth *b = &t->forks.births.at[i];

	if (strcmp(b->name, name) == 0)
		return;
	(void)snprintf(b->name, sizeof b->name, "%.*s", (int)sizeof b->name - 1, name);
	b->program = program_named(t, b->name);
	b->counted = false;
	births_wait(&t->forks.births, i);
}

static void on_name(struct tree *t, const struct sideband_record *r)
{
	uint32_t i = r->pid == r->thread ? births_find(&t->forks.births, r->pid) : 0;

	if (i == 0)
		return;
	if (r->exec)
		t->forks.births.at[i].threads = 1;
	t->command.executed |= r->exec && r->pid == t->root[0].pid;
	set_name(t, i, r->name);
}

static void on_exit_of_thread(struct tree *t, const struct sideband_record *r)
{
	uint32_t i = births_find(&t->forks.births, r->pid);

	if (i == 0)
		return;
	t->forks.births.at[i].ends++;
	if (--t->forks.births.at[i].threads == 0)
		end(t, i, r->time_ns);
}

static void on_lost(struct tree *t, const struct sideband_record *r)
{
	t->forks.births.lost += r->lost;
	count_tasks(&t->forks.births, r->lost > 0 ? r->lost : UINT64_MAX);
	t->forks.repair_due = true;
	notices_add(&t->notices, &t->noticed.forks, "forks came too fast to follow them all: who lives was found by a scan, "
		  "but more processes may have started and ended than are counted");
}

void births_take(struct tree *t, const struct sideband_record *r)
{
	if (r->kind == SIDEBAND_LOST)
		on_lost(t, r);
	else if (r->pid <= 0)
		return;
	else if (r->kind == SIDEBAND_FORK)
		on_fork(t, r);
	else if (r->kind == SIDEBAND_NAME)
		on_name(t, r);
	else if (r->kind == SIDEBAND_CPU_TIME)
		births_take_cpu_time(t, r);
	else
		on_exit_of_thread(t, r);
}

static uint64_t clock_now_ns(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * (uint64_t)NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

void births_drain(struct tree *t)
{
	struct sideband_record r;

	if (!t->forks.sideband)
		return;
	t->forks.births.drained_ns = clock_now_ns();
	sideband_begin(t->forks.sideband);
	while (t->forks.sideband && sideband_next(t->forks.sideband, &r))
		births_take(t, &r);
	(void)births_forget_ended(t, false);
}

/* ---- who is looked at --------------------------------------------------------------------- */

/* Lives, although nothing was told of its beginning, or its end was: a record may still be on its way. */
void births_suspect(struct tree *t, const struct member *m)
{
	if (!t->forks.sideband || m->figures.state == 'Z' || m->unwatched || births_find(&t->forks.births, m->pid))
		return;
	if (t->forks.n_suspects < SUSPECTS)
		t->forks.suspects[t->forks.n_suspects++] = m->pid;
}

void births_judge(struct tree *t)
{
	for (size_t i = 0; i < t->forks.n_suspects; i++) {
		struct member *m = members_find(&t->members, t->forks.suspects[i]);

		if (!m || m->figures.state == 'Z' || births_find(&t->forks.births, m->pid) || member_is_ending(t, m))
			continue;
		m->unwatched = t->unwatched = true;
		t->walking.all_ns = 0;             /* what it started by now as well */
		notices_add(&t->notices, &t->noticed.unwatched, "perf events do not follow %s (pid %d), a set-user-ID or unreadable program: "
			  "it is walked instead, and what it starts is not counted", m->comm, (int)m->pid);
	}
	t->forks.n_suspects = 0;
}

static void look_at(struct tree *t, pid_t pid, pid_t parent)
{
	struct member *m = members_find(&t->members, pid);

	if (m && m->exited && member_read(t, m, -1) == -ESRCH)  /* it held this pid before */
		member_gone(t, m);
	(void)member_found(t, pid, members_find(&t->members, parent));
}

void births_meet(struct tree *t)
{
	/* The baseline sees us, just before exec: that is not what the command is called. */
	while (t->forks.sideband && t->primed && t->forks.births.at[BIRTHS_WAITING].after) {
		uint32_t i = t->forks.births.at[BIRTHS_WAITING].after;
		struct birth *b = &t->forks.births.at[i];

		if (b->name[0])
			count_start(t, b);
		births_met(&t->forks.births, i);
		look_at(t, b->pid, b->parent);
	}
	for (size_t i = 0; i < t->forks.n_parents && tree_has_children_files(t); i++) {
		struct member *m = members_find(&t->members, t->forks.parents[i]);

		if (m && member_glance(t, m)->walk_due && m->figures.state != 'Z')
			walk_member(t, m);
	}
	t->forks.n_parents = 0;
}

void births_repair(struct tree *t)
{
	t->forks.births.scanned_ns = clock_now_ns();
	t->forks.repair_due = false;
	for (size_t k = 0; k < t->members.n && t->forks.sideband; k++) {
		const struct member *m = t->members.order[k];
		uint32_t i = births_find(&t->forks.births, m->pid);

		if (m->gone || m->figures.state == 'Z' || m->unwatched)
			continue;
		if (i == 0 && (i = begin(t, m->pid, m->parent, true)) == 0)
			return;
		set_name(t, i, m->comm);
		if (m->comm[0])
			count_start(t, &t->forks.births.at[i]);
		births_met(&t->forks.births, i);
		t->forks.births.at[i].threads = m->figures.threads;
	}
	for (uint32_t i = BIRTH_LISTS; i < t->forks.births.unused && t->forks.sideband; i++) {
		pid_t pid = t->forks.births.at[i].pid;
		const struct member *m = pid > 0 ? members_find(&t->members, pid) : NULL;

		if (pid > 0 && !t->forks.births.at[i].ended && (!m || m->figures.state == 'Z'))
			end(t, i, 0);
	}
}
