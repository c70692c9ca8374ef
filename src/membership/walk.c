/* walk.c - finds members by the kernel's lists of children, or by a scan of /proc. */
#include "membership_state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "../kernel/folder.h"

enum { WALK_ALL_SECONDS = 10, WALK_WATCHED_SECONDS = 60 };

/* Checked at the first need: a command that exits at once does not wait 13 us for it. */
bool membership_has_lists(struct membership *ms)
{
	struct tracked *t = ms->tracked;
	pid_t pid = t->self > 0 ? t->self : t->root;
	char path[64];

	if (ms->walking.lists == CHILDREN_UNKNOWN) {
		(void)snprintf(path, sizeof path, "%d/task/%d/children", (int)pid, (int)pid);
		ms->walking.lists = faccessat(t->src->proc, path, F_OK, 0) == 0 ? CHILDREN_LISTED : CHILDREN_ABSENT;
	}
	return ms->walking.lists == CHILDREN_LISTED;
}

static void found_in_list(struct membership *ms, struct member *parent)
{
	struct scan s = scan_of(ms->tracked->list.at, ms->tracked->list.len);
	pid_t pid;

	while (proc_next_child(&s, &pid))
		(void)member_found(ms, pid, parent);
}

/* A children file lists the children of its own thread only: a process with threads has several. */
static void walk_threads(struct membership *ms, pid_t pid, struct member *m)
{
	char path[64];
	pid_t thread;

	(void)snprintf(path, sizeof path, "%d/task", (int)pid);

	auto_close int task = openat(ms->tracked->src->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct folder threads = { .fd = task };

	if (task < 0)
		return;
	while (folder_next_number(&threads, &thread)) {
		(void)snprintf(path, sizeof path, "%d/children", (int)thread);

		auto_close int fd = source_open_file(task, path);

		if (fd >= 0 && text_read_list(&ms->tracked->list, fd) == 0)
			found_in_list(ms, m);
	}
}

/*
 * The children of our first thread: the command, and the orphans that we adopted (find_new_reaper in kernel/exit.c).
 * Children of our other threads, zpool or the reader of GPUs, do not belong to the command.
 */
static void walk_self(struct membership *ms)
{
	struct tracked *t = ms->tracked;
	char path[64];

	if (ms->walking.own_children < 0) {
		(void)snprintf(path, sizeof path, "%d/task/%d/children", (int)t->self, (int)t->self);
		ms->walking.own_children = source_open_file(t->src->proc, path);
	}
	if (ms->walking.own_children >= 0 && text_read_list(&t->list, ms->walking.own_children) == 0)
		found_in_list(ms, NULL);
}

void membership_walk_member(struct membership *ms, struct member *m)
{
	member_glance(ms->tracked, m)->walk_due = 0;
	if (m->figures.threads > 1)
		walk_threads(ms, m->pid, m);
	else if (member_text(ms->tracked, m, FILE_CHILDREN) == 0)
		found_in_list(ms, m);
}

static bool add_stranger(struct membership *ms, size_t n, struct stranger s)
{
	if (n == ms->walking.strangers_room) {
		size_t room = size_max(256, 2 * n);
		struct stranger *more = realloc(ms->walking.strangers, room * sizeof *more);

		if (!more)
			return false;
		ms->walking.strangers = more;
		ms->walking.strangers_room = room;
	}
	ms->walking.strangers[n] = s;
	return true;
}

static size_t list_strangers(struct membership *ms)
{
	struct tracked *t = ms->tracked;
	auto_close int proc = openat(t->src->proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct folder pids = { .fd = proc };
	struct proc_stat stat;
	char path[32];
	size_t n = 0;
	pid_t pid;

	while (proc >= 0 && folder_next_number(&pids, &pid)) {
		if (pid == t->self || pid == t->starter || members_find(&t->members, pid))
			continue;
		(void)snprintf(path, sizeof path, "%d/stat", (int)pid);
		if (text_read_at(&t->text, t->src->proc, path) == 0 &&
		    proc_parse_stat(&stat, t->text.at, t->text.len) == 0 &&
		    add_stranger(ms, n, (struct stranger){ pid, stat.parent, stat.stack }))
			n++;
	}
	return n;
}

/* Parents mostly come before their children, so few rounds find all descendants. */
static void walk_proc(struct membership *ms)
{
	size_t n = list_strangers(ms), before;

	do {
		size_t left = 0;

		before = n;
		for (size_t i = 0; i < n; i++) {
			struct stranger s = ms->walking.strangers[i];

			if (!descendant_found(ms, s.pid, s.parent))
				ms->walking.strangers[left++] = s;
		}
		n = left;
	} while (n < before);
}

/*
 * Walks where perf records no forks: everywhere, or from members without events.  Periodically and after a loss it
 * walks everywhere.
 */
bool membership_walk(struct membership *ms, uint64_t forks, bool all)
{
	struct tracked *t = ms->tracked;
	/* The fork counter covers threads too, and the whole machine.  If it is unchanged, nothing was forked. */
	bool walk = !t->no_children && (all || forks == 0 || forks != ms->walking.forks);
	bool unreported = walk && (!t->followed || t->unwatched || all);

	if (walk)
		ms->walking.forks = forks;
	if (all)
		ms->walking.all_ns = t->now_ns +
				    (t->followed ? WALK_WATCHED_SECONDS : WALK_ALL_SECONDS) * NS_PER_SECOND;
	if (unreported && t->ours && membership_has_lists(ms))
		walk_self(ms);
	if (unreported && !membership_has_lists(ms))
		walk_proc(ms);
	return walk && membership_has_lists(ms);
}

void membership_poll_outside(struct membership *ms)
{
	size_t n = list_strangers(ms);

	for (size_t i = 0; i < n; i++)
		memory_note_outside(ms->memory, ms->walking.strangers[i].stack);
}

void membership_put_off_walk(struct membership *ms)
{
	ms->walking.all_ns = ms->tracked->now_ns + WALK_WATCHED_SECONDS * NS_PER_SECOND;
}

bool membership_walks_all(const struct membership *ms)
{
	return ms->tracked->now_ns >= ms->walking.all_ns || ms->forks.repair_due;
}
