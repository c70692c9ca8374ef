/* tree.c - opening a tree, and one reading of it. */
#include "state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { FDS_MAX = 3000, WALK_ALL_SECONDS = 10, WALK_WATCHED_SECONDS = 60 };

/* Our own pid as this /proc knows it: a mounted one may belong to another PID namespace. */
static pid_t own_pid(const struct source *src)
{
	char target[16];
	ssize_t n = src->live ? readlinkat(src->proc, "self", target, sizeof target - 1) : -1;
	pid_t pid;

	if (n <= 0)
		return 0;
	target[n] = '\0';
	return proc_pid(target, &pid) ? pid : 0;
}

/* Looked up when it is first needed: 13 us that a command which ends at once does not wait for. */
bool tree_has_children_files(struct tree *t)
{
	pid_t pid = t->self > 0 ? t->self : t->root[0].pid;
	char path[64];

	if (t->walking.lists == CHILDREN_UNKNOWN) {
		(void)snprintf(path, sizeof path, "%d/task/%d/children", (int)pid, (int)pid);
		t->walking.lists = faccessat(t->src->proc, path, F_OK, 0) == 0 ? CHILDREN_LISTED : CHILDREN_ABSENT;
	}
	return t->walking.lists == CHILDREN_LISTED;
}

size_t fds_to_keep(const struct source *src, size_t taken)
{
	struct rlimit limit;

	if (!src->live || getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur < taken)
		return 0;
	return limit.rlim_cur == RLIM_INFINITY ? FDS_MAX : size_min((limit.rlim_cur - taken) / 2, FDS_MAX);
}

static void look_at_kernel(struct tree *t, pid_t root)
{
	const struct source *src = t->src;
	int64_t clock_ns;

	t->clocks = t->self == getpid();
	t->clocks = t->clocks && member_clock(t, root, &clock_ns);
	t->fds.max = fds_to_keep(src, 0);
	t->ns_per_tick = (uint64_t)(NS_PER_SECOND / src->ticks_per_second);
}

/* What only members that live on need. */
static void look_closer(struct tree *t)
{
	const struct source *src = t->src;
	struct stat fds;
	uint64_t on;

	t->block_delay = source_read_u64(&on, src->proc, "sys/kernel/task_delayacct") == 0 && on > 0;
	t->fds.counted = src->live && fstatat(src->proc, "self/fd", &fds, 0) == 0 && fds.st_size > 0;
}

void tree_listen(struct tree *t)
{
	look_closer(t);
	sockets_listen(t->sockets);
}

static int by_start(const void *a, const void *b)
{
	const struct root *x = a, *y = b;

	return x->start_ticks < y->start_ticks ? -1 : x->start_ticks > y->start_ticks;
}

/* It waits to exec, so nobody else can have its pid; it has no name before it did. */
static void take_command(struct tree *t, pid_t pid)
{
	struct root *root = &t->root[t->n_roots++];

	root->pid = pid;
	(void)prctl(PR_GET_NAME, t->command.name);
}

/* In the order of their start: a root that is a descendant of another comes after it. */
static int find_roots(struct tree *t, const struct tree_options *options, struct why *why)
{
	if (options->n_roots == 0 || options->n_roots > ROOT_MAX)
		return why_set(why, -EINVAL, "between 1 and %d processes can be tracked", ROOT_MAX);
	for (size_t i = 0; i < options->n_roots; i++) {
		pid_t pid = options->roots[i];
		struct proc_stat stat = { 0 };
		char path[32];
		bool twice = false;

		for (size_t k = 0; k < t->n_roots; k++)
			twice |= t->root[k].pid == pid;
		if (twice)
			continue;
		(void)snprintf(path, sizeof path, "%d/stat", (int)pid);

		int r = pid < 1 ? -ESRCH : text_read_at(&t->text, t->src->proc, path);

		if (r == 0)
			r = proc_parse_stat(&stat, t->text.at, t->text.len);
		if (r == -ENOENT || r == -ESRCH)
			return why_set(why, -ESRCH, "there is no process %d", (int)pid);
		if (r < 0)
			return why_set(why, r, "cannot read process %d: %s", (int)pid, strerror(-r));

		struct root *root = &t->root[t->n_roots++];

		root->pid = pid;
		root->start_ticks = stat.start;
		memcpy(root->comm, stat.comm, sizeof root->comm);
	}
	qsort(t->root, t->n_roots, sizeof t->root[0], by_start);
	return 0;
}

static int add_roots(struct tree *t)
{
	for (size_t i = 0; i < t->n_roots; i++) {
		struct member *m = members_add(&t->members, t->root[i].pid);

		if (!m)
			return -ENOMEM;
		m->root = (uint16_t)i;
		m->fresh = t->ours;
		m->parent = 0;
		m->start_ticks = t->root[i].start_ticks;
	}
	return 0;
}

static int open_cpu_source(struct tree *t, const struct tree_options *options)
{
	bool whole = !t->no_children && t->src->live;
	pid_t roots[ROOT_MAX];

	for (size_t i = 0; i < t->n_roots; i++)
		roots[i] = t->root[i].pid;

	int r = cpu_source_open(&t->cpu, &(struct cpu_setup){
		.src = t->src, .notices = &t->notices, .text = &t->text, .list = &t->list, .choice = options->cpu,
		.leaf = options->leaf, .roots = roots, .n_roots = t->n_roots, .self = t->self, .ours = t->ours,
		.whole = whole, .attachable = whole && !t->ours && t->clocks && tree_has_children_files(t),
	});

	if (r == 0)
		t->fds.max = size_min(t->fds.max, fds_to_keep(t->src, cpu_source_descriptors(t->cpu)));
	return r;
}

/*
 * What the ledger may lack of waited children's CPU time: cutime and cstime are in ticks, and what may stand there
 * twice is held back.
 */
static uint64_t ledger_slack_ns(const struct tree *t)
{
	uint64_t slack_ns = 2 * t->ns_per_tick * t->members.waited.taken;

	for (size_t i = 0; i < t->n_roots; i++)
		slack_ns += t->root[i].held[CPU_NS];
	return slack_ns;
}

static void report_cpu_time(struct tree *t, struct tick *tick)
{
	const struct cpu_facts facts = {
		.now_ns = t->now_ns, .baseline = !t->primed,
		.ledger_ns = t->told[CPU_NS], .user_ns = t->told[USER_NS], .system_ns = t->told[SYSTEM_NS],
		.ledger_slack_ns = ledger_slack_ns(t), .visible_ns = t->visible_ns, .unseen_ns = t->unseen_ns,
		.unread_ns = t->unread_ns,
		.tasks = t->forks.sideband ? t->forks.births.tasks : UINT64_MAX, .largest_bytes = (uint64_t)t->peak.rss,
		.left_bytes = t->peak.left_bytes, .members = t->members.n, .unwatched = t->unwatched,
		.counts_ends = t->forks.sideband && t->forks.births.lost == 0, .over = tree_alive(t) == 0, .at_rest = t->sweep.skipped,
		.used_ns = t->sweep.used_by_now_ns,
	};

	cpu_source_report(t->cpu, &facts, tick);
	/* What a process had at most is lost with it if nobody waited for it. */
	t->peak.missed |= cpu_source_has_unwaited(t->cpu);
}

static bool find_owner(void *tree, pid_t pid, struct socket_owner *ret)
{
	struct tree *t = tree;
	struct member *m = members_find(&t->members, pid);

	if (m)
		*ret = (struct socket_owner){
			.pid = pid, .speaker = m->figures.speaker, .name = m->comm, .fresh = m->fresh,
			.readable = m->figures.state != 'Z' && m->reads > 0, .mark = &m->socket_mark,
		};
	return m;
}

static bool owner_is_ending(void *tree, pid_t pid)
{
	struct tree *t = tree;
	struct member *m = members_find(&t->members, pid);

	return !m || member_is_ending(t, m);
}

static int open_sockets(struct tree *t)
{
	return sockets_open(&t->sockets, &(struct socket_tree){
		.src = t->src, .notices = &t->notices, .text = &t->text, .tree = t, .find = find_owner,
		.is_ending = owner_is_ending, .ours = t->ours, .visible = t->self > 0,
	});
}

static void read_sockets(struct tree *t, struct tick *tick)
{
	const struct socket_pass pass = {
		.now_ns = t->now_ns, .slowdown = t->slowdown, .baseline = !t->primed, .over = tree_alive(t) == 0,
		.brief = tick->brief,
	};

	sockets_read(t->sockets, &pass, &tick->out->total);
}

int tree_open(struct tree **ret, const struct source *src, const struct tree_options *options,
	      struct why *why)
{
	struct tree *t = calloc(1, sizeof *t);
	int r = t ? 0 : -ENOMEM;

	if (t) {
		t->src = src;
		t->pass = 1;
		t->now_ns = src->monotonic_ns(src->clock);
		t->walking.own_children = -1;
		t->memory.huge_bytes = -1;
		t->programs.n = 1;
		t->no_children = options->no_children;
		t->forks.cpus = options->perf_cpus ? options->perf_cpus : PERF_CPUS_MAX;
		t->memory.families.family.size = sizeof(struct family);
		t->memory.policy = options->pss;
		t->memory.budget = pss_budget_open(t->now_ns);
		t->programs.at = calloc(PROGRAMS, sizeof *t->programs.at);
		t->self = own_pid(src);
		t->ours = options->ours && t->self > 0;
		r = t->programs.at ? 0 : -ENOMEM;
	}
	if (r == 0 && t->ours)
		take_command(t, options->roots[0]);
	else if (r == 0)
		r = find_roots(t, options, why);
	if (r == 0) {
		look_at_kernel(t, options->roots[0]);
		members_open(&t->members, t->block_delay);
		t->alone = options->alone;
		if (!t->ours)
			look_closer(t);
		r = open_cpu_source(t, options);
	}
	if (r == 0) {
		births_open(t, &t->root[0], options->signal);
		cpu_source_begin(t->cpu, t->forks.events);
		r = add_roots(t);
	}
	if (r == 0)
		r = open_sockets(t);
	if (r < 0) {
		tree_close(t);
		return r == -ENOMEM ? why_set(why, r, "out of memory") : r;
	}
	*ret = t;
	return 0;
}

void tree_close(struct tree *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->members.n; i++)
		member_close(t, t->members.order[i]);
	cpu_source_close(t->cpu);
	members_release(&t->members);
	births_close(t);
	sideband_close(t->forks.events);
	close_p(&t->walking.own_children);
	sockets_close(t->sockets);
	text_release(&t->text);
	text_release(&t->list);
	families_release(t);
	free(t->walking.strangers);
	free(t->settling.gone);
	free(t->settling.accounts);
	free(t->programs.at);
	free(t);
}

/*
 * What did not run has not forked, waited, read or written, and is as it was.  One that is new was
 * read when it was found.
 */
static void visit(struct tree *t, size_t i, bool walk, bool walk_all)
{
	struct glance *g = &t->members.glance[i];
	int64_t clock_ns = -1;
	bool clocked = member_clock(t, g->pid, &clock_ns);
	bool idle = clocked && clock_ns == g->clock_ns && !is_full_due(t, g);

	if (idle && !walk_all && !(walk && g->walk_due))
		return;

	struct member *m = t->members.order[i];

	if (m->gone)
		return;

	bool ran = !clocked || clock_ns != g->clock_ns;
	bool due = !ran && is_full_due(t, g) && !member_is_same(t, m);

	if ((m->pass != t->pass || m->reads == 0) && (ran || due)) {
		if (member_read(t, m, clocked ? clock_ns : -1) == -ESRCH) {
			member_gone(t, m);
			return;
		}
		if (m->figures.state == 'Z' && !(t->ours && m->parent == t->self))
			tree_tell_end(t, m, false);
		if (m->exited)
			births_suspect(t, m);
	}
	if (walk && (t->members.glance[i].walk_due || walk_all) && m->figures.state != 'Z')
		walk_member(t, m);
}

/*
 * Walks where nobody tells who was forked: everywhere, or from what the kernel lost sight of; and everywhere
 * at times, or after a loss.
 */
static bool walk(struct tree *t, uint64_t forks, bool all)
{
	/* The fork counter counts threads too, and the whole machine: standing still it proves much. */
	bool walk = !t->no_children && (all || forks == 0 || forks != t->walking.forks);
	bool untold = walk && (!t->forks.sideband || t->unwatched || all);

	if (walk)
		t->walking.forks = forks;
	if (all)
		t->walking.all_ns = t->now_ns +
				    (t->forks.sideband ? WALK_WATCHED_SECONDS : WALK_ALL_SECONDS) * NS_PER_SECOND;
	if (untold && t->ours && tree_has_children_files(t))
		walk_self(t);
	if (untold && !tree_has_children_files(t))
		walk_proc(t);
	return walk && tree_has_children_files(t);
}

/* While the command waits to exec: it is the only member that is ours to wait for and was there before. */
static void read_start(struct tree *t)
{
	struct member *m = members_find(&t->members, t->root[0].pid);

	if (m)
		member_read_start(t, m);
}

int tree_read(struct tree *t, struct tick *tick)
{
	t->before_ns = t->now_ns;
	t->now_ns = t->src->monotonic_ns(t->src->clock);
	tree_release_held(t);
	births_drain(t);
	births_judge(t);

	/* What has not begun has no children; others of ours are from before us. */
	bool childless = !t->primed && t->ours && t->alone && t->forks.sideband;

	if (childless)
		t->walking.all_ns = t->now_ns + WALK_WATCHED_SECONDS * NS_PER_SECOND;

	bool all = t->now_ns >= t->walking.all_ns || t->forks.repair_due;
	bool skip = tick->out && !all && tree_may_skip(t);
	bool lists = !childless && !skip && walk(t, tick->forks_since_boot, all);
	size_t i = 0;

	for (; i < t->members.n && !skip; i++)
		visit(t, i, lists, all);
	births_meet(t);
	for (; i < t->members.n && !skip; i++)
		visit(t, i, lists, all);
	if (t->forks.repair_due)
		births_repair(t);
	tree_settle(t);
	if (t->ours && !t->primed)
		read_start(t);
	if (!t->ours && !t->memory.looked_outside)
		families_look_outside(t);
	if (!tick->out) {
		tree_read_peaks(t);
		t->pass++;
		return 0;
	}
	t->memory.huge_bytes = is_none(tick->out->total.memory_transparent_huge_bytes) ? -1 :
			(int64_t)tick->out->total.memory_transparent_huge_bytes;
	t->slowdown = tick->slowdown > 0 ? tick->slowdown : 1;
	if (!tick->brief && (!tick->spare || t->memory.policy == PSS_ALWAYS)) {
		tree_read_slow(t);
		tree_read_pss(t);
	}
	read_sockets(t, tick);
	births_settle(t);
	tree_report(t, tick->out);
	report_cpu_time(t, tick);
	tree_report_peak(t, &tick->out->total);
	programs_report(t, tick->out);
	births_report(t, &tick->out->total);
	t->primed = true;
	t->pass++;
	return 0;
}

void tree_drain(struct tree *t)
{
	births_drain(t);
}

size_t tree_alive(const struct tree *t)
{
	int64_t n = 0;

	for (size_t i = 0; i < t->n_roots; i++)
		n += t->root[i].level[ALIVE];
	return n > 0 ? (size_t)n : 0;
}

size_t tree_pids(const struct tree *t, pid_t *ret, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i < t->members.n; i++)
		if (!t->members.order[i]->gone && n++ < room)
			ret[n - 1] = t->members.order[i]->pid;
	return n;
}
