/* processes.c - the processes of a run, from /proc. */
#include "processes.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../kernel/proc_parse.h"
#include "../text/shown.h"

enum kinship { UNKNOWN, STRANGER, MEMBER };

struct process_seen {
	pid_t    pid, parent;
	uint64_t start, ticks, disk_bytes;
	bool     disk_known;
	enum kinship kinship;
	uint64_t rss_pages, threads;
	char     state, name[16];
};

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

int processes_open(struct processes *p, const char *root, const struct kin *kin, struct why *why)
{
	*p = (struct processes){ .kin = *kin };
	return source_open(&p->machine, root, why);
}

void processes_close(struct processes *p)
{
	if (p->machine.page_bytes > 0)
		source_close(&p->machine);
	text_release(&p->text);
	free(p->seen);
	free(p->entry);
	*p = (struct processes){ 0 };
}

bool processes_due(const struct processes *p)
{
	return p->read_ns == 0 || clock_ns(CLOCK_MONOTONIC) - p->read_ns >= p->every_ns;
}

static bool read_stat(struct process_seen *ret, struct processes *p, const char *pid)
{
	struct proc_stat stat;
	char path[32];

	(void)snprintf(path, sizeof path, "%.12s/stat", pid);
	if (text_read_at(&p->text, p->machine.proc, path) < 0 || proc_parse_stat(&stat, p->text.at, p->text.len) < 0)
		return false;
	ret->parent = stat.parent;
	ret->start = stat.start;
	ret->ticks = stat.user + stat.system;
	ret->rss_pages = stat.rss;
	ret->threads = stat.threads;
	ret->state = stat.state;
	(void)snprintf(ret->name, sizeof ret->name, "%.15s", stat.comm);
	return true;
}

static int by_pid(const void *a, const void *b)
{
	const struct process_seen *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static struct process_seen *find(struct process_seen *seen, size_t n, pid_t pid)
{
	struct process_seen key = { .pid = pid };

	return n > 0 ? bsearch(&key, seen, n, sizeof key, by_pid) : NULL;
}

struct list { struct process_seen *at; size_t n, room; };

/* A place for one more; NULL: out of memory. */
static struct process_seen *list_room(struct list *l)
{
	if (l->n == l->room) {
		struct process_seen *more = reallocarray(l->at, l->room + l->room / 2, sizeof *more);

		if (!more)
			return NULL;
		l->at = more;
		l->room += l->room / 2;
	}
	return &l->at[l->n];
}

/* All processes of the machine, by pid.  The caller frees the result; NULL: out of memory. */
static struct process_seen *read_all(size_t *ret_n, struct processes *p)
{
	DIR *folder = source_open_folder(p->machine.proc, ".");
	struct list l = { .room = p->n_seen + 64 };
	bool fits = (l.at = calloc(l.room, sizeof *l.at)) != NULL;

	for (struct dirent *e; fits && folder && (e = readdir(folder)) != NULL;) {
		struct process_seen *seen;
		pid_t pid;

		if (!proc_pid(e->d_name, &pid))
			continue;
		seen = list_room(&l);
		fits = seen != NULL;
		if (seen) {
			*seen = (struct process_seen){ .pid = pid };
			l.n += read_stat(seen, p, e->d_name);
		}
	}
	if (folder)
		(void)closedir(folder);
	if (!fits) {
		free(l.at);
		return NULL;
	}
	qsort(l.at, l.n, sizeof *l.at, by_pid);
	*ret_n = l.n;
	return l.at;
}

/* What a process is by itself; UNKNOWN: what its parent is. */
static enum kinship own_kinship(const struct processes *p, const struct process_seen *s)
{
	for (size_t i = 0; i < p->kin.n_roots; i++)
		if (s->pid == p->kin.root[i] && (i > 0 || s->start == p->root_start))
			return MEMBER;
	if (p->kin.recorder == 0 || s->parent != p->kin.recorder)
		return UNKNOWN;
	/* Adopted, or a program beside the run: started before the command, or one of ours. */
	return s->start >= p->root_start && strncmp(s->name, "resource-tracke", 15) != 0 ? MEMBER : STRANGER;
}

/* Up to the first ancestor of known kinship; all below it have the same. */
static void find_kinship(const struct processes *p, struct process_seen *all, size_t n, struct process_seen *s)
{
	enum kinship kinship = UNKNOWN;
	struct process_seen *top = s;

	for (size_t steps = 0; steps <= n && top; steps++) {
		kinship = top->kinship == UNKNOWN ? own_kinship(p, top) : top->kinship;
		if (kinship != UNKNOWN)
			break;
		top = find(all, n, top->parent);
	}
	if (kinship == UNKNOWN)
		kinship = STRANGER;
	for (size_t steps = 0; steps <= n && s && s->kinship == UNKNOWN; steps++) {
		s->kinship = kinship;
		s = s == top ? NULL : find(all, n, s->parent);
	}
}

/* Remembers when the first root started: its pid can be another process's later. */
static void remember_root(struct processes *p, struct process_seen *all, size_t n)
{
	const struct process_seen *root = p->kin.n_roots > 0 ? find(all, n, p->kin.root[0]) : NULL;

	if (p->root_start == 0 && root)
		p->root_start = root->start;
}

static void read_io(struct process_seen *s, struct processes *p)
{
	struct proc_io io;
	char path[32];

	(void)snprintf(path, sizeof path, "%d/io", (int)s->pid);
	s->disk_known = text_read_at(&p->text, p->machine.proc, path) == 0 &&
			proc_parse_io(&io, p->text.at, p->text.len) == 0;
	if (s->disk_known)
		s->disk_bytes = io.read_bytes + io.write_bytes;
}

static struct entry entry_of(const struct processes *p, const struct process_seen *now, const struct process_seen *was,
			     double seconds)
{
	struct buffer name = { 0 };
	struct entry e = {
		.pid = now->pid, .parent = now->parent, .state = now->state, .count = (double)now->threads,
		.cores = NONE,
		.bytes = (double)now->rss_pages * (double)p->machine.page_bytes, .disk_bytes_per_second = NONE,
		.cpu_seconds = (double)now->ticks / (double)p->machine.ticks_per_second,
	};

	show_text(&name, now->name, strlen(now->name), '?');
	(void)snprintf(e.name, sizeof e.name, "%.*s", (int)name.len, name.at ? name.at : "");
	buffer_release(&name);
	if (was && was->start == now->start && seconds > 0) {
		e.cores = gained(was->ticks, now->ticks) / (double)p->machine.ticks_per_second / seconds;
		if (was->disk_known && now->disk_known)
			e.disk_bytes_per_second = gained(was->disk_bytes, now->disk_bytes) / seconds;
	}
	return e;
}

int processes_read(struct processes *p)
{
	int64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID), now_ns = clock_ns(CLOCK_MONOTONIC);
	double seconds = p->read_ns > 0 ? (double)(now_ns - p->read_ns) / 1e9 : 0;
	size_t n_all, n = 0;
	struct process_seen *all = read_all(&n_all, p);

	if (!all)
		return -ENOMEM;

	remember_root(p, all, n_all);
	for (size_t i = 0; i < n_all; i++) {
		find_kinship(p, all, n_all, &all[i]);
		n += all[i].kinship == MEMBER;
	}
	if (n > p->room) {
		struct entry *more = reallocarray(p->entry, n + n / 4, sizeof *more);

		if (!more) {
			free(all);
			return -ENOMEM;
		}
		p->entry = more;
		p->room = n + n / 4;
	}
	p->n = 0;
	for (size_t i = 0; i < n_all; i++)
		if (all[i].kinship == MEMBER) {
			read_io(&all[i], p);
			p->entry[p->n++] = entry_of(p, &all[i], find(p->seen, p->n_seen, all[i].pid), seconds);
		}
	free(p->seen);
	p->seen = all;
	p->n_seen = n_all;
	p->read_ns = now_ns;
	cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	p->every_ns = cpu_ns * READING_SHARE > NS_PER_SECOND ? cpu_ns * READING_SHARE : NS_PER_SECOND;
	return 0;
}
