/* part_file.c - the temporary file beside another file, in which its next version is written. */
#include "part_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "../core/base.h"

static const char ENDING[] = ".part";
enum { LETTERS = 6, ENDING_LENGTH = sizeof ENDING - 1 };

static bool is_part_of(const char *entry, const char *name)
{
	size_t n = strlen(name);

	return entry[0] == '.' && strncmp(entry + 1, name, n) == 0 && entry[1 + n] == '.' &&
	       strlen(entry + n + 2) == LETTERS + ENDING_LENGTH && strcmp(entry + n + 2 + LETTERS, ENDING) == 0;
}

static bool is_the_file(int folder, const char *name, const struct stat *it)
{
	struct stat there;

	return fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && there.st_dev == it->st_dev &&
	       there.st_ino == it->st_ino;
}

/* Only a regular file of this user with a single link can be left by a writer. */
static void remove_left(int folder, const char *name)
{
	auto_close int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
	    status.st_nlink != 1 || flock(fd, LOCK_EX | LOCK_NB) < 0)
		return;
	/* Before we got the lock, its writer can have renamed it, and another can have begun one of the same name. */
	if (is_the_file(folder, name, &status))
		(void)unlinkat(folder, name, 0);
}

static void sweep(const char *folder_path, const char *name)
{
	DIR *folder = opendir(folder_path);

	if (!folder)
		return;
	for (struct dirent *e; (e = readdir(folder)) != NULL;)
		if (is_part_of(e->d_name, name))
			remove_left(dirfd(folder), e->d_name);
	(void)closedir(folder);
}

/* The descriptor of a new, locked file; another sweep can remove it before it is locked. */
static int make(const char *folder, const char *name, char **ret_part)
{
	for (;;) {
		struct stat status;
		char *part;

		if (asprintf(&part, "%s/.%s.XXXXXX%s", folder, name, ENDING) < 0)
			return -ENOMEM;

		int fd = mkostemps(part, ENDING_LENGTH, O_CLOEXEC);
		int r = fd < 0 ? -errno : 0;

		/* On a filesystem without locks no sweep removes it either. */
		if (r == 0 && (flock(fd, LOCK_EX) < 0 || fstat(fd, &status) < 0 || status.st_nlink > 0)) {
			*ret_part = part;
			return fd;
		}
		close_p(&fd);
		free(part);
		if (r < 0)
			return r;
	}
}

int part_file_open(const char *path, char **ret_part)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	auto_free char *folder = slash ? strndup(path, (size_t)(slash - path) + (slash == path)) : strdup(".");

	if (!folder)
		return -ENOMEM;
	sweep(folder, name);
	return make(folder, name, ret_part);
}
