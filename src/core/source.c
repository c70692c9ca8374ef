/* source.c - the visible machine: directory descriptors, clocks, reading whole files. */
#include "source.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>

#include "scan.h"

enum { TEXT_FIRST = 16 * 1024, TEXT_MAX = 16 * 1024 * 1024 };

static int64_t clock_ns(clockid_t id)
{
	struct timespec t = { 0 };

	(void)clock_gettime(id, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

static int64_t monotonic_ns(void *clock)
{
	(void)clock;
	return clock_ns(CLOCK_MONOTONIC);
}

static int64_t wall_ns(void *clock)
{
	(void)clock;
	return clock_ns(CLOCK_REALTIME);
}

/*
 * Reports of closed sockets need no privilege (NL_CFG_F_NONROOT_RECV in net/core/sock_diag.c).  Reports that the kernel
 * cannot queue are lost: the buffer of an ordinary user holds some 300.
 */
static int subscribe_closes(int fd)
{
	static const int groups[] = { SKNLGRP_INET_TCP_DESTROY, SKNLGRP_INET6_TCP_DESTROY };
	static const int bytes = 4 * 1024 * 1024;
	/* A socket without an address of its own gets none (do_one_broadcast in net/netlink/af_netlink.c). */
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) < 0)
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
	if (bind(fd, (struct sockaddr *)&any, sizeof any) < 0)
		return -errno;
	for (size_t i = 0; i < countof(groups); i++)
		if (setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &groups[i], sizeof groups[i]) < 0)
			return -errno;
	return 0;
}

static int socket_diag(const struct source *s, bool closes)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
	int r = fd < 0 ? -errno : closes ? subscribe_closes(fd) : 0;

	(void)s;
	if (r < 0) {
		close_p(&fd);
		return r;
	}
	return fd;
}

/* CAP_NET_ADMIN.  The kernel checks whether it is in the first user namespace. */
static bool may_administer_network(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return syscall(SYS_capget, &header, data) == 0 && (data[0].effective & 1U << CAP_NET_ADMIN) != 0;
}

static int task_stats(const struct source *s)
{
	static const int bytes = 4 * 1024 * 1024;
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };

	(void)s;
	if (!may_administer_network())
		return -EPERM;

	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_GENERIC);

	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) < 0 ||
	    bind(fd, (struct sockaddr *)&any, sizeof any) < 0) {
		int error = errno;

		close_p(&fd);
		return -error;
	}
	return fd;
}

/* The messages are not read, so there is room for one or two.  An overflow is an error, and shows a change as well. */
static int link_news(const struct source *s)
{
	static const int bytes = 1;             /* the least that the kernel gives */
	struct sockaddr_nl links = { .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);

	(void)s;
	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes) < 0 ||
	    bind(fd, (struct sockaddr *)&links, sizeof links) < 0) {
		int r = -errno;

		close_p(&fd);
		return r;
	}
	return fd;
}

static int open_directory(int at, const char *path)
{
	return openat(at, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int source_open_at(struct source *ret, int root)
{
	int proc = open_directory(root, "proc");

	if (proc < 0)
		return -errno;
	*ret = (struct source){
		.root = root,
		.proc = proc,
		.sys = open_directory(root, "sys"),
		.cgroup = open_directory(root, "sys/fs/cgroup"),
		.ticks_per_second = sysconf(_SC_CLK_TCK),
		.page_bytes = sysconf(_SC_PAGESIZE),
		.monotonic_ns = monotonic_ns,
		.wall_ns = wall_ns,
	};
	return 0;
}

int source_open(struct source *ret, const char *root, struct why *why)
{
	auto_close int directory = open_directory(AT_FDCWD, root);

	if (directory < 0)
		return why_set(why, -errno, "cannot open %s: %s", root, strerror(errno));

	int r = source_open_at(ret, directory);

	if (r < 0)
		return why_set(why, r, "cannot open %s/proc: %s", strcmp(root, "/") == 0 ? "" : root, strerror(-r));
	ret->live = strcmp(root, "/") == 0;
	if (ret->live) {
		ret->socket_diag = socket_diag;
		ret->task_stats = task_stats;
		ret->link_news = link_news;
		ret->nvml = "libnvidia-ml.so.1";
	}
	directory = -1;
	return 0;
}

void source_close(struct source *s)
{
	close_p(&s->root);
	close_p(&s->proc);
	close_p(&s->sys);
	close_p(&s->cgroup);
}

int source_open_file(int directory, const char *path)
{
	int fd = openat(directory, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	(void)close(fd);
	errno = ENOTSUP;
	return -1;
}

int text_read(struct text *t, int fd)
{
	for (;;) {
		if (t->size > 0) {
			ssize_t n = pread(fd, t->at, t->size - 1, 0);

			if (n < 0)
				return -errno;
			if ((size_t)n < t->size - 1) {
				t->at[n] = '\0';
				t->len = (size_t)n;
				return 0;
			}
		}
		if (t->size >= TEXT_MAX)
			return -EFBIG;

		size_t size = t->size ? 4 * t->size : TEXT_FIRST;
		char *at = realloc(t->at, size);

		if (!at)
			return -ENOMEM;
		t->at = at;
		t->size = size;
	}
}

int text_read_lines(struct text *t, int fd, size_t most)
{
	if (most == 0 || most >= t->size)
		return text_read(t, fd);

	ssize_t n = pread(fd, t->at, most, 0);

	if (n < 0)
		return -errno;
	if ((size_t)n == most)
		while (n > 0 && t->at[n - 1] != '\n')
			n--;
	t->at[n] = '\0';
	t->len = (size_t)n;
	return 0;
}

int text_read_at(struct text *t, int directory, const char *path)
{
	auto_close int fd = source_open_file(directory, path);

	return fd < 0 ? -errno : text_read(t, fd);
}

void text_release(struct text *t)
{
	free(t->at);
	*t = (struct text){ 0 };
}

static int read_small(char *ret, size_t size, int directory, const char *path)
{
	auto_close int fd = source_open_file(directory, path);
	ssize_t n = fd < 0 ? -1 : pread(fd, ret, size - 1, 0);

	if (n < 0)
		return -errno;
	ret[n] = '\0';
	return (int)n;
}

int source_read_u64(uint64_t *ret, int directory, const char *path)
{
	char text[64];
	int n = read_small(text, sizeof text, directory, path);

	if (n < 0)
		return n;

	struct scan s = scan_of(text, (size_t)n);

	return scan_u64(&s, ret) ? 0 : -EBADMSG;
}

int source_read_line(char *ret, size_t size, int directory, const char *path)
{
	char text[256];
	int n = read_small(text, sizeof text, directory, path);

	if (n < 0)
		return n;

	struct scan s = scan_of(text, (size_t)n);
	struct word line;

	scan_blanks(&s);
	if (!scan_line(&s, &line))
		return -ENODATA;
	while (line.len > 0 && (line.at[line.len - 1] == ' ' || line.at[line.len - 1] == '\t'))
		line.len--;
	if (line.len == 0)
		return -ENODATA;
	(void)word_copy(line, ret, size);
	return 0;
}

/* From the link's text, "pid:[4026531836]": a stat makes the kernel open it, 3 to 4 us. */
uint32_t source_namespace(const struct source *s, const char *kind)
{
	char path[32], link[64];
	uint64_t number;

	(void)snprintf(path, sizeof path, "self/ns/%s", kind);

	ssize_t n = readlinkat(s->proc, path, link, sizeof link);
	struct scan scan = scan_of(link, n > 0 ? (size_t)n : 0);

	return scan_literal(&scan, kind) && scan_literal(&scan, ":[") && scan_u64(&scan, &number) &&
	       number <= UINT32_MAX ? (uint32_t)number : 0;
}

int source_socket_protocol(char *ret, size_t size, int folder, const char *name)
{
	char path[64];

	/* Readable if following the link is allowed.  The attribute's name is stable (lsof needs it). */
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name);

	ssize_t n = getxattr(path, "system.sockprotoname", ret, size - 1);

	if (n < 0)
		return -errno;
	ret[n] = '\0';
	return 0;
}

DIR *source_open_folder(int directory, const char *path)
{
	int fd = openat(directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (!folder)
		close_p(&fd);
	return folder;
}
