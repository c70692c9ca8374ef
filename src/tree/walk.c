/* walk.c - who belongs to the tree: children of members, by the kernel's lists or by a scan of /proc. */
#include "state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "../kernel/folder.h"

/*
 * A process that was found.  One that is known already stays what it is; what holds a recycled
 * pid is found when its predecessor is missed (member_gone).
 */
struct member *member_found(struct tree *t, pid_t pid, struct member *parent)
{
	struct member *m = members_find(&t->members, pid);

	if (m || pid == t->self)
		return m;
	m = members_add(&t->members, pid);
	if (!m) {
		notices_add(&t->notices, &t->noticed.memory, "out of memory: some processes are left out");
		return NULL;
	}
	m->root = parent ? parent->root : 0;
	m->fresh = t->primed || t->ours;
	m->unwatched = parent && parent->unwatched;
	if (member_read(t, m, -1) < 0) {                /* it has ended already */
		m->gone = t->holes = true;
		return NULL;
	}
	births_suspect(t, m);
	return m;
}

static void found_in_list(struct tree *t, struct member *parent)
{
	struct scan s = scan_of(t->list.at, t->list.len);
	pid_t pid;

	while (proc_next_child(&s, &pid))
		(void)member_found(t, pid, parent);
}

/* A children file lists what ITS thread has forked: a process with threads has several. */
static void walk_threads(struct tree *t, pid_t pid, struct member *m)
{
	char path[64];
	pid_t thread;

	(void)snprintf(path, sizeof path, "%d/task", (int)pid);

	auto_close int task = openat(t->src->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct folder threads = { .fd = task };

	if (task < 0)
		return;
	while (folder_next_number(&threads, &thread)) {
		(void)snprintf(path, sizeof path, "%d/children", (int)thread);

		auto_close int fd = source_open_file(task, path);

		if (fd >= 0 && text_read_list(&t->list, fd) == 0)
			found_in_list(t, m);
	}
}

int64_t folder_entries(const struct tree *t, const char *path)
{
	auto_close int folder = openat(t->src->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct folder names = { .fd = folder };
	int64_t n = 0;

	if (folder < 0)
		return -errno;
	for (const char *name; (name = folder_next(&names)) != NULL;)
		n += name[0] >= '0' && name[0] <= '9';
	return n;
}

/*
 * The first thread's children: the command, which it forked, and what lost its parents and came to us (find_new_reaper
 * in kernel/exit.c).  What another thread of ours started, zpool or the reader of GPUs, is not the command's.
 */
void walk_self(struct tree *t)
{
	char path[64];

	if (t->walking.own_children < 0) {
		(void)snprintf(path, sizeof path, "%d/task/%d/children", (int)t->self, (int)t->self);
		t->walking.own_children = source_open_file(t->src->proc, path);
	}
	if (t->walking.own_children >= 0 && text_read_list(&t->list, t->walking.own_children) == 0)
		found_in_list(t, NULL);
}

/* The same, asked of the kernel; before Linux 4.7 it has no answer. */
static bool is_of_another_thread(pid_t pid)
{
	siginfo_t info;

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT | __WNOTHREAD) < 0 && errno == ECHILD;
}

struct member *descendant_found(struct tree *t, pid_t pid, pid_t parent)
{
	struct member *m = members_find(&t->members, parent);
	bool came_to_us = t->ours && parent == t->self && !(t->self == getpid() && is_of_another_thread(pid));

	return m || came_to_us ? member_found(t, pid, m) : NULL;
}

void walk_member(struct tree *t, struct member *m)
{
	member_glance(t, m)->walk_due = 0;
	if (m->figures.threads > 1)
		walk_threads(t, m->pid, m);
	else if (member_text(t, m, FILE_CHILDREN) == 0)
		found_in_list(t, m);
}

static bool add_stranger(struct tree *t, size_t n, struct stranger s)
{
	if (n == t->walking.strangers_room) {
		size_t room = size_max(256, 2 * n);
		struct stranger *more = realloc(t->walking.strangers, room * sizeof *more);

		if (!more)
			return false;
		t->walking.strangers = more;
		t->walking.strangers_room = room;
	}
	t->walking.strangers[n] = s;
	return true;
}

size_t list_strangers(struct tree *t)
{
	auto_close int proc = openat(t->src->proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct folder pids = { .fd = proc };
	struct proc_stat stat;
	char path[32];
	size_t n = 0;
	pid_t pid;

	while (proc >= 0 && folder_next_number(&pids, &pid)) {
		if (pid == t->self || members_find(&t->members, pid))
			continue;
		(void)snprintf(path, sizeof path, "%d/stat", (int)pid);
		if (text_read_at(&t->text, t->src->proc, path) == 0 &&
		    proc_parse_stat(&stat, t->text.at, t->text.len) == 0 &&
		    add_stranger(t, n, (struct stranger){ pid, stat.parent, stat.stack }))
			n++;
	}
	return n;
}

/* Parents mostly stand before their children, so few rounds find all descendants. */
void walk_proc(struct tree *t)
{
	size_t n = list_strangers(t), before;

	do {
		size_t left = 0;

		before = n;
		for (size_t i = 0; i < n; i++) {
			struct stranger s = t->walking.strangers[i];

			if (!descendant_found(t, s.pid, s.parent))
				t->walking.strangers[left++] = s;
		}
		n = left;
	} while (n < before);
}
