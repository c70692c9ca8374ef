/* attached.c - task clocks of all threads of a tree that already runs. */
#include "attached.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>

#include "../kernel/folder.h"
#include "../kernel/threads.h"

enum { LOOKS = 4 };

/* settled: everything that it starts has a clock. */
struct running { pid_t pid; bool settled; };

/* At most as many processes as threads. */
struct search {
	const struct attached *what;
	struct thread_clocks *clocks;
	struct running at[THREAD_CLOCKS_MAX];
	size_t n;
};

static int add_process(struct search *l, pid_t pid)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->at[i].pid == pid)
			return 0;
	if (pid == l->what->self)
		return 0;
	if (l->n == countof(l->at))
		return -E2BIG;
	l->at[l->n++] = (struct running){ .pid = pid };
	return 0;
}

static int add_children(struct search *l, int task, pid_t thread)
{
	struct text *list = l->what->list;
	char path[PROC_PATH];
	pid_t child;
	int r = 0;

	(void)snprintf(path, sizeof path, "%d/children", (int)thread);

	auto_close int fd = source_open_file(task, path);

	if (fd < 0 || text_read_list(list, fd) < 0)     /* it has exited */
		return 0;
	for (struct scan s = scan_of(list->at, list->len); r == 0 && proc_next_child(&s, &child);)
		r = add_process(l, child);
	return r;
}

/*
 * Adds its threads, then their children.  If a missed thread has exited, its children belong to another thread by then
 * (find_new_reaper in kernel/exit.c).
 */
static int search_at(struct search *l, size_t i)
{
	struct running *p = &l->at[i];
	char path[PROC_PATH];
	pid_t thread;
	int r = 0;

	proc_path(path, p->pid, 0, "task");
	p->settled = true;

	auto_close int task = openat(l->what->src->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct folder threads = { .fd = task }, again = { .fd = task };

	while (task >= 0 && r >= 0 && folder_next_number(&threads, &thread)) {
		r = thread_clocks_add(l->clocks, thread);
		if (r > 0)
			p->settled = false;
	}
	if (task < 0 || lseek(task, 0, SEEK_SET) < 0)
		return 0;
	while (r >= 0 && folder_next_number(&again, &thread))
		r = add_children(l, task, thread);
	return r < 0 ? r : 0;
}

static int search_all(struct search *l)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < l->n; i++)
		if (!l->at[i].settled)
			r = search_at(l, i);
	return r;
}

static bool is_settled(const struct search *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->at[i].settled)
			return false;
	return true;
}

/* Leaves half of the descriptors for everything else. */
static bool has_room(const struct thread_clocks *c)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && c->n <= limit.rlim_cur / 2;
}

static int search_and_open(struct search *l)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < l->what->n_roots; i++)
		r = add_process(l, l->what->roots[i]);
	for (int search = 0; r == 0 && search < LOOKS && !is_settled(l); search++) {
		r = search_all(l);
		if (r == 0)
			r = has_room(l->clocks) ? thread_clocks_open(l->clocks) : -EMFILE;
	}
	return r;
}

static int open_clocks(struct thread_clocks *ret, bool *ret_all_found, const struct attached *what)
{
	struct thread_clocks clocks;
	struct search *l = calloc(1, sizeof *l);
	int r = l ? thread_clocks_init(&clocks) : -ENOMEM;

	if (r == 0) {
		l->what = what;
		l->clocks = &clocks;
		r = search_and_open(l);
		if (r < 0)
			thread_clocks_close(&clocks);
	}
	if (r == 0) {
		*ret_all_found = is_settled(l);
		*ret = clocks;
	}
	free(l);
	return r;
}

int attached_open(struct thread_clocks *ret, bool *ret_all_found, const struct attached *what)
{
	for (size_t i = 0; i < what->n_roots; i++)
		if (what->roots[i] == what->self)
			return -ENOENT;
	return open_clocks(ret, ret_all_found, what);
}
