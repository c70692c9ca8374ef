/* cgroup_path.c - finds the files of a process's control group. */
#include "cgroup_path.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "../core/scan.h"

static const char *const controllers[HIERARCHY_COUNT] = {
	[HIERARCHY_CPU] = "cpu", [HIERARCHY_CPUACCT] = "cpuacct",
	[HIERARCHY_MEMORY] = "memory", [HIERARCHY_PIDS] = "pids", [HIERARCHY_CPUSET] = "cpuset",
};

static bool lists(struct word list, const char *name)
{
	const char *p = list.at, *end = list.at + list.len;

	while (p < end) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		const char *stop = comma ? comma : end;

		if (word_is((struct word){ p, (size_t)(stop - p) }, name))
			return true;
		p = stop + 1;
	}
	return false;
}

/* proc(5) appends this if the group was removed while a zombie still names it. */
static bool is_deleted(struct word path)
{
	static const char mark[] = " (deleted)";
	size_t n = sizeof mark - 1;

	return path.len > n && memcmp(path.at + path.len - n, mark, n) == 0;
}

/* Lines "4:cpu,cpuacct:/path", for version 2 "0::/path".  A path may contain colons. */
void cgroup_parse_membership(struct cgroup_membership *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);

	*ret = (struct cgroup_membership){ 0 };
	do {
		struct word number, list, path;

		if (!scan_until(&s, ':', &number) || !scan_until(&s, ':', &list) || !scan_line(&s, &path)) {
			if (!scan_next_line(&s))
				break;
			continue;
		}
		if (path.len == 0 || *path.at != '/' || is_deleted(path))
			continue;
		for (size_t h = 0; h < HIERARCHY_COUNT; h++)
			if (h == HIERARCHY_V2 ? list.len == 0 && word_is(number, "0") : lists(list, controllers[h]))
				ret->known[h] = word_copy(path, ret->path[h], sizeof ret->path[h]);
	} while (s.at < s.end);
}

/* Blanks, backslashes and newlines are written as \040: fs/proc_namespace.c, mangle().  false: too long, or no path. */
static bool decode(struct word w, char *ret, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < w.len; i++) {
		char c = w.at[i];

		if (c == '\\' && i + 3 < w.len && w.at[i + 1] >= '0' && w.at[i + 1] <= '3' &&
		    w.at[i + 2] >= '0' && w.at[i + 2] <= '7' && w.at[i + 3] >= '0' && w.at[i + 3] <= '7') {
			c = (char)((w.at[i + 1] - '0') << 6 | (w.at[i + 2] - '0') << 3 | (w.at[i + 3] - '0'));
			i += 3;
		}
		if (c == '\0' || n + 1 >= size)
			return false;
		ret[n++] = c;
	}
	ret[n] = '\0';
	return *ret == '/';
}

static bool climbs(const char *path)
{
	for (const char *p = strstr(path, "/.."); p; p = strstr(p + 1, "/.."))
		if (p[3] == '/' || p[3] == '\0')
			return true;
	return false;
}

/*
 * The place of `path` below a mount that shows the hierarchy from `root` on.  Containers' mounts often have the
 * container's group as their root, while paths count from the host's.  NULL: the mount does not show it, or root is "".
 */
static const char *below(const char *path, const char *root)
{
	size_t n = strlen(root);

	if (n == 1)
		n = 0;
	if (*root != '/' || strncmp(path, root, n) != 0 || (path[n] != '/' && path[n] != '\0') || climbs(path + n))
		return NULL;
	return strcmp(path + n, "/") == 0 ? "" : path + n;
}

struct mount_line { struct word root, point, type, options; };

/* 36 35 98:0 /root /mount/point rw,noatime shared:1 - cgroup cgroup rw,cpu,cpuacct */
static bool parse_mount(struct scan *s, struct mount_line *ret)
{
	struct mount_line m;
	struct word w;

	if (!scan_skip(s, 3) || !scan_word(s, &m.root) || !scan_word(s, &m.point))
		return false;
	do {
		if (!scan_word(s, &w))
			return false;
	} while (!word_is(w, "-"));
	if (!scan_word(s, &m.type) || !scan_skip(s, 1) || !scan_word(s, &m.options))
		return false;
	*ret = m;
	return true;
}

static void consider(struct cgroup_place *ret, bool *shown, const char *membership, const char *own,
		     const struct mount_line *m)
{
	char root[CGROUP_PATH_SIZE], point[CGROUP_MOUNT_SIZE];

	if (*shown || !decode(m->root, root, sizeof root) || !decode(m->point, point, sizeof point))
		return;

	const char *path = below(membership, root), *shown_path = path;

	/* A path that leads out of our namespace is a group that we cannot see at all. */
	if (!path && !cgroup_is_found(ret) && !climbs(membership))
		path = below(membership, own);
	if (!path)
		return;
	(void)snprintf(ret->mount, sizeof ret->mount, "%s", point);
	(void)snprintf(ret->path, sizeof ret->path, "%s", path);
	*shown = shown_path != NULL;
}

void cgroup_parse_mounts(struct cgroup_place *ret, const struct cgroup_membership *membership,
			 const struct cgroup_membership *own, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	bool shown[HIERARCHY_COUNT] = { false };
	struct mount_line m;

	for (size_t h = 0; h < HIERARCHY_COUNT; h++)
		ret[h].mount[0] = ret[h].path[0] = '\0';
	do {
		if (!parse_mount(&s, &m))
			continue;
		for (size_t h = 0; h < HIERARCHY_COUNT; h++)
			if (membership->known[h] &&
			    (h == HIERARCHY_V2 ? word_is(m.type, "cgroup2")
					       : word_is(m.type, "cgroup") && lists(m.options, controllers[h])))
				consider(&ret[h], &shown[h], membership->path[h], own->path[h], &m);
	} while (scan_next_line(&s));
}

static uint64_t fingerprint_of(const char *text, size_t n)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
	return hash ? hash : 1;
}

/* For a container's mount that shows the hierarchy from its own group on, but has another root in mountinfo. */
static void settle(const struct source *src, struct cgroup_place *p, const char *membership, const char *own)
{
	if (!cgroup_is_found(p) || p->path[0] == '\0')
		return;

	int fd = cgroup_open(src, p, strlen(p->path), ".");

	if (fd == -ENOENT || fd == -ENOTDIR) {
		const char *path = below(membership, own);

		(void)snprintf(p->path, sizeof p->path, "%s", path ? path : "");
		if (!path)
			p->mount[0] = '\0';
	}
	close_p(&fd);
}

static bool is_first_cgroup_namespace(const struct source *src)
{
	return src->live && source_namespace(src, "cgroup") == FIRST_CGROUP_NAMESPACE;
}

/* The root directory is number 1 in kernfs.  The root of a container's mount is another. */
static bool is_root_of_v2(const struct source *src, const char *mount)
{
	auto_close int fd = openat(src->root, mount + 1, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct statfs type;
	struct stat status;

	return fd >= 0 && fstatfs(fd, &type) == 0 && (unsigned)type.f_type == CGROUP2_SUPER_MAGIC &&
	       fstat(fd, &status) == 0 && status.st_ino == 1;
}

bool cgroup_is_machine(const struct cgroup_finder *f)
{
	const struct cgroup_place *p = &f->place[HIERARCHY_V2];

	return cgroup_is_found(p) && !p->path[0] && is_root_of_v2(f->src, p->mount);
}

/*
 * Version 2 alone, its whole tree at a usual place, and paths that count from its root: then mountinfo is not read,
 * which takes the kernel 50 us to write.
 */
static bool find_usual(struct cgroup_finder *f, const struct cgroup_membership *membership)
{
	static const char *const mounts[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	struct cgroup_place *v2 = &f->place[HIERARCHY_V2];

	for (size_t h = 0; h < HIERARCHY_COUNT; h++)
		if (membership->known[h] != (h == HIERARCHY_V2))
			return false;
	if (!is_first_cgroup_namespace(f->src))
		return false;
	for (size_t i = 0; i < countof(mounts); i++) {
		if (!is_root_of_v2(f->src, mounts[i]))
			continue;
		for (size_t h = 0; h < HIERARCHY_COUNT; h++)
			f->place[h].mount[0] = f->place[h].path[0] = '\0';
		(void)snprintf(v2->mount, sizeof v2->mount, "%s", mounts[i]);
		if (strcmp(membership->path[HIERARCHY_V2], "/") != 0)
			(void)snprintf(v2->path, sizeof v2->path, "%s", membership->path[HIERARCHY_V2]);
		return true;
	}
	return false;
}

static int find_by_mounts(struct cgroup_finder *f, const struct cgroup_membership *membership, struct text *text)
{
	struct cgroup_membership own = *membership;
	int r = f->pid > 0 ? text_read_at(text, f->src->proc, "self/cgroup") : 0;

	if (r < 0)
		return r;
	if (f->pid > 0)
		cgroup_parse_membership(&own, text->at, text->len);
	r = text_read_at(text, f->src->proc, "self/mountinfo");
	if (r < 0)
		return r;
	cgroup_parse_mounts(f->place, membership, &own, text->at, text->len);
	for (size_t h = 0; h < HIERARCHY_COUNT; h++)
		settle(f->src, &f->place[h], membership->path[h], own.path[h]);
	return 0;
}

static int read_membership(const struct cgroup_finder *f, struct text *text)
{
	int spare = -1, *fd = f->membership ? f->membership : &spare;
	char path[32] = "self/cgroup";

	if (f->pid > 0)
		(void)snprintf(path, sizeof path, "%d/cgroup", (int)f->pid);
	if (*fd < 0)
		*fd = source_open_file(f->src->proc, path);

	int r = *fd < 0 ? -errno : text_read(text, *fd);

	if (r < 0 || fd == &spare)
		close_p(fd);
	return r;
}

int cgroup_find(struct cgroup_finder *f, struct text *text)
{
	struct cgroup_membership membership;
	int r = read_membership(f, text);

	if (r < 0)
		return r;

	uint64_t fingerprint = fingerprint_of(text->at, text->len);

	if (fingerprint == f->fingerprint)
		return 0;
	cgroup_parse_membership(&membership, text->at, text->len);
	for (size_t h = 0; h < HIERARCHY_COUNT; h++)
		membership.known[h] = membership.known[h] && (!f->only_v2 || h == HIERARCHY_V2);
	f->sees_root = find_usual(f, &membership);
	r = f->sees_root ? 0 : find_by_mounts(f, &membership, text);
	if (r < 0)
		return r;
	for (size_t h = 0; h < HIERARCHY_COUNT; h++)
		f->known[h] = membership.known[h] &&
			      (strcmp(membership.path[h], "/") != 0 || !is_first_cgroup_namespace(f->src));
	f->fingerprint = fingerprint;
	return 1;
}

size_t cgroup_parent(const struct cgroup_place *p, size_t length)
{
	while (length > 0 && p->path[--length] != '/')
		;
	return length;
}

int cgroup_open(const struct source *src, const struct cgroup_place *p, size_t length, const char *file)
{
	char path[CGROUP_MOUNT_SIZE + CGROUP_PATH_SIZE + 64];
	const char *mount = p->mount;

	while (*mount == '/')
		mount++;

	int n = snprintf(path, sizeof path, "%s%.*s/%s", *mount ? mount : ".", (int)length, p->path, file);

	if (n < 0 || (size_t)n >= sizeof path)
		return -ENAMETOOLONG;

	/* "." is the group's folder, not a file. */
	int fd = strcmp(file, ".") == 0 ? openat(src->root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
					: source_open_file(src->root, path);

	return fd < 0 ? -errno : fd;
}

int cgroup_open_nearest(const struct source *src, const struct cgroup_place *p, const char *file)
{
	for (size_t length = strlen(p->path);; length = cgroup_parent(p, length)) {
		int fd = cgroup_open(src, p, length, file);

		if (fd >= 0 || length == 0)
			return fd;
	}
}
