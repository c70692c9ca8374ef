/*
 * process_children.c - the children of a process: from the children files of all its threads (a child belongs to the
 * thread that created it), or, if the kernel has none (CONFIG_PROC_CHILDREN), from the parents of all processes.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>

#include "process_files.h"

int pids_add(struct pids *p, pid_t pid)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->at[i] == pid)
			return 0;
	if (p->n == p->size) {
		size_t size = p->size ? 2 * p->size : 64;
		pid_t *at = realloc(p->at, size * sizeof *at);

		if (!at)
			return -ENOMEM;
		p->at = at;
		p->size = size;
	}
	p->at[p->n++] = pid;
	return 0;
}

/* 1: done; 0: the kernel has no such file; -errno. */
static int children_of_thread(struct process_files *f, int task, pid_t thread, struct pids *ret)
{
	char path[64];
	pid_t child;

	(void)snprintf(path, sizeof path, "%d/children", (int)thread);

	int r = text_read_at(&f->text, task, path);

	if (r < 0) {
		(void)snprintf(path, sizeof path, "%d/stat", (int)thread);
		return r != -ENOENT || faccessat(task, path, F_OK, 0) < 0 ? 1 : 0;
	}

	struct scan s = scan_of(f->text.at, f->text.len);

	while (proc_next_child(&s, &child)) {
		r = pids_add(ret, child);
		if (r < 0)
			return r;
	}
	return 1;
}

/* The same for all threads. */
static int children_of(struct process_files *f, pid_t pid, struct pids *ret)
{
	char path[64];

	(void)snprintf(path, sizeof path, "%d/task", (int)pid);

	DIR *task = source_open_folder(f->source.proc, path);

	if (!task)
		return errno == ENOENT ? -ESRCH : -errno;

	int r = 1;
	pid_t thread;

	for (struct dirent *e; r == 1 && (e = readdir(task)) != NULL;)
		if (proc_pid(e->d_name, &thread))
			r = children_of_thread(f, dirfd(task), thread, ret);
	(void)closedir(task);
	return r;
}

/* Fills ret->at with pairs: a process and its parent. */
static int all_parents(struct process_files *f, struct pids *ret)
{
	DIR *proc = source_open_folder(f->source.proc, ".");
	struct proc_stat stat;
	pid_t pid;
	int r = 0;

	if (!proc)
		return -errno;
	for (struct dirent *e; r == 0 && (e = readdir(proc)) != NULL;) {
		if (!proc_pid(e->d_name, &pid) || process_files_stat(f, pid, &stat) < 0)
			continue;
		if (ret->size < ret->n + 2) {
			size_t size = 2 * ret->size + 256;
			pid_t *at = realloc(ret->at, size * sizeof *at);

			r = at ? 0 : -ENOMEM;
			if (!at)
				break;
			ret->at = at;
			ret->size = size;
		}
		ret->at[ret->n++] = pid;
		ret->at[ret->n++] = stat.parent;
	}
	(void)closedir(proc);
	return r;
}

static int children_by_parents(struct process_files *f, pid_t pid, bool recursive, struct pids *ret)
{
	struct pids pairs = { 0 };
	int r = all_parents(f, &pairs);
	size_t from = ret->n, next = from;

	for (pid_t parent = pid; r == 0;) {
		for (size_t i = 0; r == 0 && i + 1 < pairs.n; i += 2)
			if (pairs.at[i + 1] == parent)
				r = pids_add(ret, pairs.at[i]);
		if (!recursive || next == ret->n)
			break;
		parent = ret->at[next++];
	}
	free(pairs.at);
	return r;
}

int process_files_children(struct process_files *f, pid_t pid, bool recursive, struct pids *ret)
{
	size_t from = ret->n, next = from;
	int r = children_of(f, pid, ret);

	while (r == 1 && recursive && next < ret->n) {
		r = children_of(f, ret->at[next++], ret);
		if (r == -ESRCH)                /* it ended meanwhile */
			r = 1;
	}
	if (r == 0) {
		ret->n = from;
		return children_by_parents(f, pid, recursive, ret);
	}
	return r < 0 ? r : 0;
}
