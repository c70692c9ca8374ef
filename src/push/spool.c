/* spool.c - files that wait for a receiver. */
#include "spool.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "../core/source.h"
#include "../record/runs_directory.h"

enum { FILE_MOST = 1 << 30 };

const char SPOOL_PUSH[] = "push", SPOOL_UPLOAD[] = "upload";

int spool_root(const char *kind, bool make, struct why *why)
{
	char path[PATH_MAX];
	int r = runs_directory(path, sizeof path - NAME_MAX, why);

	if (r < 0)
		return r;
	(void)snprintf(strrchr(path, '/') + 1, NAME_MAX, "%s", kind);   /* beside "runs" */
	return runs_directory_open(path, make, why);
}

/* A name from a record becomes one of a file here. */
static void file_name(char *ret, size_t size, const char *name)
{
	size_t n = 0;

	for (; name[n] && n + 1 < size; n++) {
		char c = name[n];
		bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			    (n > 0 && (c == '-' || c == '.' || c == '_'));

		ret[n] = c;
		if (!fits)
			ret[n] = '_';
	}
	ret[n] = '\0';
}

int spool_open(struct spool *ret, int root, const char *name, bool make)
{
	struct spool s = { .root = root, .folder = -1 };
	struct stat status;

	file_name(s.name, sizeof s.name, name);
	if (!s.name[0])
		return -ENOENT;
	if (make && mkdirat(root, s.name, 0700) < 0 && errno != EEXIST)
		return -errno;
	s.folder = openat(root, s.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (s.folder < 0)
		return -errno;
	if (flock(s.folder, LOCK_EX | LOCK_NB) < 0) {
		int error = errno == EWOULDBLOCK ? EBUSY : errno;

		close_p(&s.folder);
		return -error;
	}
	/* Its last owner can have removed it before we had the lock. */
	if (fstat(s.folder, &status) < 0 || status.st_nlink == 0) {
		close_p(&s.folder);
		return make ? spool_open(ret, root, name, make) : -ENOENT;
	}
	*ret = s;
	return 0;
}

void spool_close(struct spool *s)
{
	close_p(&s->folder);
}

void spool_walk(int folder, void (*each)(void *context, const char *name), void *context)
{
	DIR *stream = source_open_folder(folder, ".");

	if (!stream)
		return;
	for (struct dirent *e; (e = readdir(stream)) != NULL;)
		if (e->d_name[0] != '.')
			each(context, e->d_name);
	(void)closedir(stream);
}

static void delete_one(void *context, const char *name)
{
	spool_delete(context, name);
}

void spool_remove(struct spool *s)
{
	spool_walk(s->folder, delete_one, s);
	spool_delete(s, ".part");
	(void)unlinkat(s->root, s->name, AT_REMOVEDIR);
	spool_close(s);
}

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t some = write(fd, bytes, n);

		if (some < 0 && errno == EINTR)
			continue;
		if (some < 0)
			return -errno;
		bytes += some;
		n -= (size_t)some;
	}
	return 0;
}

int spool_write(const struct spool *s, const char *file, const char *bytes, size_t n)
{
	auto_close int fd = openat(s->folder, ".part", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	int r = fd < 0 ? -errno : write_all(fd, bytes, n);

	if (r == 0 && renameat(s->folder, ".part", s->folder, file) < 0)
		r = -errno;
	if (r < 0)
		(void)unlinkat(s->folder, ".part", 0);
	return r;
}

int spool_read(const struct spool *s, const char *file, struct buffer *ret)
{
	auto_close int fd = openat(s->folder, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;
	ssize_t n;

	if (fd < 0 || fstat(fd, &status) < 0)
		return -errno;
	if (!S_ISREG(status.st_mode) || status.st_size > FILE_MOST)
		return -EFBIG;
	buffer_clear(ret);
	if (!buffer_reserve(ret, (size_t)status.st_size + 1))
		return -ENOMEM;
	while (ret->len < ret->size && (n = read(fd, ret->at + ret->len, ret->size - ret->len)) != 0) {
		if (n < 0 && errno != EINTR)
			return -errno;
		ret->len += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

size_t spool_size(const struct spool *s, const char *file)
{
	struct stat status;

	return fstatat(s->folder, file, &status, AT_SYMLINK_NOFOLLOW) == 0 ? (size_t)status.st_size : 0;
}

void spool_delete(const struct spool *s, const char *file)
{
	(void)unlinkat(s->folder, file, 0);
}
