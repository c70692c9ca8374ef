/*
 * record_address.c - the path of the record, as the command is told of it.
 *
 * The command waits meanwhile, and the folder may be on a file server that hangs.  So the kernel is asked for what it
 * has in its cache alone (RESOLVE_CACHED, Linux 5.12), and the disks of this machine for the rest.  What is not known
 * then is taken to be right.
 */
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "destinations.h"
#include "record_name.h"
#include "runs_directory.h"

#ifndef STATX_BASIC_STATS       /* the C library may not have it yet */
#include <linux/stat.h>
#endif

enum { GROUPS_MOST = 256 };

static size_t without_slashes(const char *path, size_t n)
{
	while (n > 1 && path[n - 1] == '/')
		n--;
	return n;
}

/* The folder that a path is in, in place. */
static void cut_name(char *path)
{
	size_t n = without_slashes(path, strlen(path));

	while (n > 0 && path[n - 1] != '/')
		n--;
	if (n == 0)
		path[n++] = '.';
	path[without_slashes(path, n)] = '\0';
}

static bool is_top(const char *path)
{
	return strcmp(path, "/") == 0 || strcmp(path, ".") == 0;
}

/* -EAGAIN: the cache does not tell, or this kernel does not say what is in it. */
static int open_cached(const char *path, int flags)
{
	struct open_how how = { .flags = (unsigned)(O_PATH | O_CLOEXEC | flags), .resolve = RESOLVE_CACHED };
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);

	if (fd >= 0)
		return fd;
	return errno == EINVAL || errno == ENOSYS || errno == EPERM ? -EAGAIN : -errno;
}

/* What is not cached lies below what is: mounts keep the folders that they are in. */
static bool is_on_disk(const char *path)
{
	char folder[PATH_MAX];

	if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
		return false;
	while (!is_top(folder)) {
		cut_name(folder);

		auto_close int fd = open_cached(folder, O_DIRECTORY);

		if (fd >= 0)
			return output_is_prompt(fd);
	}
	return false;
}

/* 0; -ENOENT, or another error; -EAGAIN: not known. */
static int look(struct statx *ret, const char *path, int flags)
{
	auto_close int fd = open_cached(path, flags);

	if (fd == -EAGAIN && is_on_disk(path)) {
		fd = open(path, O_PATH | O_CLOEXEC | flags);
		if (fd < 0)
			return -errno;
	}
	if (fd < 0)
		return fd;
	return syscall(SYS_statx, fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, ret) == 0 ? 0 : -EAGAIN;
}

static bool is_in_group(gid_t group)
{
	gid_t groups[GROUPS_MOST];
	int n = getegid() == group ? 0 : getgroups(GROUPS_MOST, groups);

	for (int i = 0; i < n; i++)
		if (groups[i] == group)
			return true;
	return getegid() == group;
}

/* As access(2) would say, which may ask the server. */
static bool may_write(const struct statx *status)
{
	unsigned needed = S_ISDIR(status->stx_mode) ? 3 : 2;
	unsigned shift = status->stx_uid == geteuid() ? 6 : is_in_group(status->stx_gid) ? 3 : 0;

	return geteuid() == 0 || ((status->stx_mode >> shift) & needed) == needed;
}

/* A folder in which something is made. */
static bool takes_files(const char *folder)
{
	struct statx status;
	int r = look(&status, folder, 0);

	return r == -EAGAIN || (r == 0 && S_ISDIR(status.stx_mode) && may_write(&status));
}

static bool parent_takes_files(const char *path)
{
	char folder[PATH_MAX];

	if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
		return false;
	cut_name(folder);
	return takes_files(folder);
}

/* It is ours, or can be made in the nearest folder that is there (runs_directory_open). */
static bool default_takes_files(const char *path)
{
	char folder[PATH_MAX];
	struct statx status;
	int r = look(&status, path, O_NOFOLLOW);

	if (r == 0)
		return S_ISDIR(status.stx_mode) && status.stx_uid == geteuid() && may_write(&status);
	if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
		return false;
	while (r == -ENOENT && !is_top(folder)) {
		cut_name(folder);
		r = look(&status, folder, 0);
	}
	return r == -EAGAIN || (r == 0 && S_ISDIR(status.stx_mode) && may_write(&status) &&
				(status.stx_uid == 0 || status.stx_uid == geteuid()));
}

/* Of --record: whether something is written there; *ret_folder: a new file in it. */
static bool named_is_written(const char *path, bool *ret_folder)
{
	size_t n = strlen(path), m = strlen(".jsonl");
	struct statx status;
	int r = look(&status, path, 0);

	*ret_folder = (n > 0 && path[n - 1] == '/') || (r == 0 && S_ISDIR(status.stx_mode));
	if (r == -ENOENT)
		return parent_takes_files(path);
	if (r == 0)
		return (!*ret_folder || S_ISDIR(status.stx_mode)) && may_write(&status);
	/* Nobody calls a folder so. */
	return r == -EAGAIN && (*ret_folder || (n > m && strcmp(path + n - m, ".jsonl") == 0));
}

bool record_address(char *ret, size_t size, const struct options *o, const struct run *run, const char *host)
{
	char name[128], usual[sizeof ((struct record_place *)0)->path], *at = ret;
	const char *place = o->record ? o->record : usual;
	struct why ignored;
	bool folder = true;

	if (o->record ? strcmp(o->record, "none") == 0 || !named_is_written(o->record, &folder)
		      : runs_directory(usual, sizeof usual, &ignored) < 0 || !default_takes_files(usual))
		return false;
	if (place[0] != '/') {
		if (!getcwd(ret, size))
			return false;
		at += strlen(ret);
		*at++ = '/';
	}
	record_name(name, sizeof name, run, host);

	/* No longer than its path may be (struct record_place). */
	size_t room = size_min(size - (size_t)(at - ret), sizeof usual);

	return snprintf(at, room, "%s%s%s", place, folder ? "/" : "", folder ? name : "") < (int)room;
}
