/* tree_open.c - opens a tree: its roots, and the rooms that read it. */
#include "tree_state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "../members/member_files.h"

/* A root when it was found. */
struct found_root { pid_t pid; uint64_t start_ticks; char comm[64]; };

/* Our own pid in this /proc, which may belong to another PID namespace. */
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

static void look_at_kernel(struct tracked *t)
{
	const struct source *src = t->src;
	int64_t clock_ns;

	t->clocks = t->self == getpid();
	t->clocks = t->clocks && member_clock(t, t->root, &clock_ns);
	t->fds.max = fds_to_keep(src, 0);
	t->ns_per_tick = (uint64_t)(NS_PER_SECOND / src->ticks_per_second);
}

/* Checks that matter only for members that keep running. */
static void look_closer(struct tracked *t)
{
	const struct source *src = t->src;
	struct stat fds;
	uint64_t on;

	t->block_delay = source_read_u64(&on, src->proc, "sys/kernel/task_delayacct") == 0 && on > 0;
	t->fds.counted = src->live && fstatat(src->proc, "self/fd", &fds, 0) == 0 && fds.st_size > 0;
}

void tree_listen(struct tree *t)
{
	look_closer(&t->tracked);
	sockets_listen(t->sockets);
}

static int by_start(const void *a, const void *b)
{
	const struct found_root *x = a, *y = b;

	return x->start_ticks < y->start_ticks ? -1 : x->start_ticks > y->start_ticks;
}

/* Sorted by start time, so that a root comes after its ancestors. */
static int find_roots(struct found_root ret[ROOT_MAX], size_t *ret_n, struct tracked *t,
		      const struct tree_options *options, struct why *why)
{
	size_t n = 0;

	for (size_t i = 0; i < options->n_roots; i++) {
		pid_t pid = options->roots[i];
		struct proc_stat stat = { 0 };
		char path[32];
		bool twice = false;

		for (size_t k = 0; k < n; k++)
			twice |= ret[k].pid == pid;
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

		struct found_root *root = &ret[n++];

		*root = (struct found_root){ .pid = pid, .start_ticks = stat.start };
		(void)snprintf(root->comm, sizeof root->comm, "%s", stat.comm);
	}
	qsort(ret, n, sizeof ret[0], by_start);
	*ret_n = n;
	return 0;
}

static int add_roots(struct tree *t, const struct found_root *root, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct member *m = members_add(&t->tracked.members, root[i].pid);

		if (!m)
			return -ENOMEM;
		m->root = (uint16_t)i;
		m->is_root = true;
		m->fresh = t->tracked.ours;
		m->parent = 0;
		m->start_ticks = root[i].start_ticks;
		accounts_add_root(t->accounts, root[i].pid, root[i].start_ticks, root[i].comm);
	}
	return 0;
}

static int open_cpu_source(struct tree *t, const struct tree_options *options, const pid_t *roots, size_t n_roots)
{
	struct tracked *tracked = &t->tracked;
	bool whole = !tracked->no_children && tracked->src->live;

	int r = cpu_source_open(&t->cpu, &(struct cpu_setup){
		.src = tracked->src, .notices = &tracked->notices, .text = &tracked->text, .list = &tracked->list,
		.choice = options->cpu, .own_cgroup = options->own_cgroup, .roots = roots, .n_roots = n_roots,
		.self = tracked->self, .ours = tracked->ours, .whole = whole,
		.attachable = whole && !tracked->ours && tracked->clocks && membership_has_lists(t->membership),
	});

	if (r == 0) {
		size_t left = fds_to_keep(tracked->src, cpu_source_descriptors(t->cpu));

		tracked->fds.max = size_min(tracked->fds.max, left);
	}
	return r;
}

static bool find_owner(void *tracked, pid_t pid, struct socket_owner *ret)
{
	struct tracked *t = tracked;
	struct member *m = members_find(&t->members, pid);

	if (m)
		*ret = (struct socket_owner){
			.pid = pid, .speaker = m->figures.speaker, .name = m->comm, .fresh = m->fresh,
			.readable = m->figures.state != 'Z' && m->reads > 0, .mark = &m->socket_mark,
		};
	return m;
}

static bool owner_is_ending(void *tracked, pid_t pid)
{
	struct tracked *t = tracked;
	struct member *m = members_find(&t->members, pid);

	return !m || member_is_ending(t, m);
}

static int open_sockets(struct tree *t)
{
	struct tracked *tracked = &t->tracked;

	return sockets_open(&t->sockets, &(struct socket_tree){
		.src = tracked->src, .notices = &tracked->notices, .text = &tracked->text, .tree = tracked,
		.find = find_owner, .is_ending = owner_is_ending, .ours = tracked->ours, .visible = tracked->self > 0,
	});
}

/* Opens each room after those it depends on. */
static int open_rooms(struct tree *t, const struct tree_options *options)
{
	int r = accounts_open(&t->accounts, &t->tracked);

	if (r == 0)
		r = memory_open(&t->memory, &t->tracked, t->accounts, options->pss);
	if (r == 0)
		r = open_sockets(t);
	if (r < 0)
		return r;
	t->visits = (struct visits){
		.tracked = &t->tracked, .accounts = t->accounts, .memory = t->memory, .sockets = t->sockets,
	};
	return membership_open(&t->membership, &t->visits);
}

static void begin(struct tracked *t, const struct source *src, const struct tree_options *options)
{
	t->src = src;
	t->pass = 1;
	t->now_ns = src->monotonic_ns(src->clock);
	t->huge_bytes = -1;
	t->no_children = options->no_children;
	t->peaks_from_baseline = options->peaks_from_baseline;
	t->alone = options->alone;
	t->self = own_pid(src);
	t->starter = t->self == getpid() ? options->starter : 0;
	t->ours = options->ours && t->self > 0;
	t->root = options->roots[0];
	/* Our command waits to exec, so no other process has its pid.  Until its exec it has our name. */
	if (t->ours)
		(void)prctl(PR_GET_NAME, t->command.name);
}

int tree_open(struct tree **ret, const struct source *src, const struct tree_options *options, struct why *why)
{
	struct found_root root[ROOT_MAX] = { { .pid = options->n_roots ? options->roots[0] : 0 } };
	pid_t pids[ROOT_MAX];
	size_t n = 1;

	if (options->n_roots == 0 || options->n_roots > ROOT_MAX)
		return why_set(why, -EINVAL, "between 1 and %d processes can be tracked", ROOT_MAX);

	struct tree *t = calloc(1, sizeof *t);
	int r = t ? 0 : -ENOMEM;

	if (t)
		begin(&t->tracked, src, options);
	if (t && !t->tracked.ours)
		r = find_roots(root, &n, &t->tracked, options, why);
	if (r == 0) {
		t->tracked.root = root[0].pid;
		look_at_kernel(&t->tracked);
		members_open(&t->tracked.members);
		if (!t->tracked.ours)
			look_closer(&t->tracked);
		r = open_rooms(t, options);
	}
	for (size_t i = 0; i < n; i++)
		pids[i] = root[i].pid;
	if (r == 0)
		r = open_cpu_source(t, options, pids, n);
	if (r == 0) {
		membership_follow(t->membership, root[0].pid, options->perf_cpus ? options->perf_cpus : PERF_CPUS_MAX,
				  options->signal);
		cpu_source_begin(t->cpu, membership_events(t->membership));
		r = add_roots(t, root, n);
	}
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
	for (size_t i = 0; i < t->tracked.members.n; i++)
		member_close(&t->tracked, t->tracked.members.order[i]);
	cpu_source_close(t->cpu);
	members_release(&t->tracked.members);
	membership_close(t->membership);
	sockets_close(t->sockets);
	memory_close(t->memory);
	accounts_close(t->accounts);
	text_release(&t->tracked.text);
	text_release(&t->tracked.list);
	free(t);
}

const char *tree_notice(struct tree *t)
{
	return notices_next(&t->tracked.notices);
}
