/* sockets_members.c - finds the sockets of members: the links in /proc/PID/fd, as far as the budget allows. */
#include "sockets_poll.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>

#include "../kernel/threads.h"

enum { FDS_AT_ONCE = 64 };                      /* between two readings of the clock; 4 us each */

static bool seen_folder(int r)
{
	return r != -EACCES && r != -EPERM;
}

static void add_socket(struct sockets *s, uint32_t inode, int folder, const char *name, bool before)
{
	char protocol[32] = "";

	if (socket_find(&s->table, inode))
		return;

	int r = source_socket_protocol(protocol, sizeof protocol, folder, name);
	/* A subflow of an MPTCP connection is a TCP socket with the inode of the whole connection. */
	const char *base = strncmp(protocol, "MP", 2) == 0 ? protocol + 2 : protocol;
	bool v4 = r == 0 && strcmp(base, "TCP") == 0, v6 = r == 0 && strcmp(base, "TCPv6") == 0;

	/* ENOENT: it is gone.  If protocols cannot be read at all, the kernel's lists show them. */
	if (r == -ENOENT)
		return;

	uint32_t i = socket_add(&s->table, inode, r < 0 || v4 || v6 ? SOCKET_UNRESOLVED : SOCKET_OTHER);

	if (i == 0)
		return;
	s->table.row[i].family = v4 ? AF_INET : v6 ? AF_INET6 : AF_UNSPEC;
	s->table.row[i].before = before;
	s->table.row[i].since = s->polls;
}

static void poll_link(struct sockets *s, int folder, const char *name, bool before)
{
	char link[48];
	ssize_t n = readlinkat(folder, name, link, sizeof link);
	uint32_t inode;

	if (n > 0 && socket_link(&inode, link, (size_t)n))
		add_socket(s, inode, folder, name, before);
}

/* Adds the sockets among an open folder's links, from *from on.  false: the time is up; *from is where to continue. */
static bool poll_folder(struct sockets *s, int folder, long *from, bool before)
{
	_Alignas(struct dirent64) char buffer[4096];
	unsigned looked = 0;
	ssize_t len;

	if (*from > 0 && lseek(folder, *from, SEEK_SET) < 0)
		return true;
	while ((len = getdents64(folder, (void *)buffer, sizeof buffer)) > 0)
		for (ssize_t at = 0; at < len;) {
			const struct dirent64 *e = (const void *)(buffer + at);

			at += e->d_reclen;
			if (e->d_name[0] < '0' || e->d_name[0] > '9')
				continue;
			poll_link(s, folder, e->d_name, before);
			if (++looked % FDS_AT_ONCE > 0)
				continue;
			socket_budget_spend(&s->budget);
			*from = (long)e->d_off;
			if (s->budget.left_ns < s->budget.reserve_ns)
				return false;
		}
	return true;
}

void sockets_inherit(struct sockets *s)
{
	auto_close int folder = openat(s->tree.src->proc, "self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long from = 0;

	if (folder >= 0)
		while (!poll_folder(s, folder, &from, true))
			;
}

static int namespace_of(const struct sockets *s, const char *path, char *ret, size_t size)
{
	ssize_t n = readlinkat(s->tree.src->proc, path, ret, size - 1);

	if (n < 0)
		return -errno;
	ret[n] = '\0';
	return 0;
}

/* 0: in our network namespace; -EXDEV: in another one, where our requests find nothing. */
static int check_namespace(struct sockets *s, const struct socket_owner *m)
{
	char path[PROC_PATH], netns[sizeof s->netns];

	/* A kernel without namespaces has one. */
	if (s->netns[0] == '\0' && namespace_of(s, "self/ns/net", s->netns, sizeof s->netns) < 0)
		return 0;
	proc_path(path, m->pid, m->speaker, "ns/net");

	int r = namespace_of(s, path, netns, sizeof netns);

	return r < 0 ? r : strcmp(netns, s->netns) == 0 ? 0 : -EXDEV;
}

/* false: the time is up. */
static bool poll_member(struct sockets *s, const struct socket_owner *m, bool opened, int *ret)
{
	char path[PROC_PATH];

	*ret = check_namespace(s, m);
	m->mark->here = *ret == 0;
	if (*ret < 0 || !opened)
		return true;
	proc_path(path, m->pid, m->speaker, "fd");

	auto_close int folder = openat(s->tree.src->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*ret = folder < 0 ? -errno : 0;
	/* Sockets of a process that ran before it was found may have belonged to others. */
	bool before = (s->pass.baseline && !s->tree.ours) || (!m->fresh && !m->mark->listed);

	if (folder >= 0 && !poll_folder(s, folder, &s->due.from, before))
		return false;
	m->mark->listed = true;
	return true;
}

static void notice_unseen(struct sockets *s, const struct socket_owner *m, int r)
{
	if (r == -EXDEV)
		notices_add(s->tree.notices, &s->noticed.elsewhere,
			  "process %d (%s) is in another network namespace: its TCP connections are not seen",
			  (int)m->pid, m->name);
	else
		notices_add_denied(s->tree.notices, &s->noticed.denied, "TCP connections", m->pid, m->name);
}

void sockets_poll_members(struct sockets *s, bool opened)
{
	size_t i = 0, seen = 0, unseen = 0;

	/* If no connection was opened, none is new, unless an earlier one had to wait. */
	opened |= s->due.behind;
	for (; i < s->due.n && s->budget.left_ns >= s->budget.reserve_ns; i++) {
		struct socket_owner member, *m = &member;
		int r = 0;

		if (!s->tree.find(s->tree.tree, s->due.pid[i], m) || !m->readable) {
			s->due.from = 0;
			continue;
		}
		if (!opened && m->mark->here) { /* it is not read, so no time is spent */
			m->mark->due = false;
			seen++;
			continue;
		}
		if (!poll_member(s, m, opened, &r))
			break;
		/* The link of a namespace is refused for a process that has exited, too. */
		if (!seen_folder(r) && s->tree.is_ending(s->tree.tree, m->pid))
			r = -ESRCH;
		s->due.from = 0;
		m->mark->due = false;
		if (r == -EXDEV || !seen_folder(r)) {
			notice_unseen(s, m, r);
			s->denied |= r != -EXDEV;
			unseen++;
		} else {
			seen += r == 0;
		}
		socket_budget_spend(&s->budget);
	}
	if (i > 0)                              /* due.pid may be NULL if nothing was due */
		memmove(s->due.pid, s->due.pid + i, (s->due.n - i) * sizeof *s->due.pid);
	s->due.n -= i;
	s->due.behind = s->due.n > 0;
	if (seen + unseen > 0)
		s->blind = seen == 0 && s->table.count[SOCKET_CONNECTED] == 0;
}
