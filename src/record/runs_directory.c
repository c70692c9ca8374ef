/* runs_directory.c - the default folder of records. */
#include "runs_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../core/source.h"

static const char *no_place(const char *value)
{
	return value && *value ? "is not an absolute path" : "is not set";
}

int runs_directory(char *ret, size_t size, struct why *why)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n;

	/* The XDG specification requires that a relative path is ignored. */
	if (state && state[0] == '/')
		n = snprintf(ret, size, "%s/resource-tracker/runs", state);
	else if (home && home[0] == '/')
		n = snprintf(ret, size, "%s/.local/state/resource-tracker/runs", strcmp(home, "/") == 0 ? "" : home);
	else
		return why_set(why, -ENOENT, "there is no place for the record: XDG_STATE_HOME %s, HOME %s",
			       no_place(state), no_place(home));
	return n < 0 || (size_t)n >= size
		? why_set(why, -ENAMETOOLONG, "there is no place for the record: its path is too long") : 0;
}

static int foreign(const char *path, uid_t owner, struct why *why)
{
	return why_set(why, -EPERM, "%s belongs to another user (number %lld); --record names another place", path,
		       (long long)owner);
}

/* -EPERM if the parent belongs to another user, as a HOME that `sudo -E` kept: no folders are created there. */
static int may_make_below(const char *parent, struct why *why)
{
	struct stat status;

	if (stat(*parent ? parent : "/", &status) < 0 || status.st_uid == 0 || status.st_uid == geteuid())
		return 0;
	return foreign(parent, status.st_uid, why);
}

static int make(const char *path, struct why *why)
{
	char part[1024], parent[1024] = "";
	struct stat status;

	for (const char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
		size_t n = slash ? (size_t)(slash - path) : strlen(path);

		if (n >= sizeof part)
			return why_set(why, -ENAMETOOLONG, "cannot make %s: the path is too long", path);
		memcpy(part, path, n);
		part[n] = '\0';
		if (stat(part, &status) < 0 && errno == ENOENT) {
			int r = may_make_below(parent, why);

			if (r < 0)
				return r;
			if (mkdir(part, 0700) < 0 && errno != EEXIST)
				return why_set(why, -errno, "cannot make %s: %s", part, strerror(errno));
		}
		if (!slash)
			return 0;
		memcpy(parent, part, n + 1);
	}
}

int runs_directory_open(const char *path, bool make_it, struct why *why)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = open(path, flags);
	struct stat status;

	if (fd < 0 && errno == ENOENT && make_it) {
		int r = make(path, why);

		if (r < 0)
			return r;
		fd = open(path, flags);
	}
	if (fd < 0) {
		int error = errno;
		bool link = lstat(path, &status) == 0 && S_ISLNK(status.st_mode);

		return link ? why_set(why, -error, "%s is a symbolic link, which is not followed; --record names another "
				      "place", path)
			    : why_set(why, -error, "cannot %s %s: %s", make_it ? "make" : "open", path, strerror(error));
	}
	if (fstat(fd, &status) < 0 || status.st_uid != geteuid()) {
		(void)close(fd);
		return foreign(path, status.st_uid, why);
	}
	return fd;
}

bool runs_directory_prune_due(int directory)
{
	enum { PAUSE_SECONDS = 3600 };
	struct stat status;

	if (fstatat(directory, ".pruned", &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    status.st_mtim.tv_sec + PAUSE_SECONDS > time(NULL))
		return false;

	auto_close int mark = openat(directory, ".pruned", O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);

	return mark >= 0 && futimens(mark, NULL) == 0;
}

struct entry { char name[NAME_MAX + 1]; int64_t modified; uint64_t bytes; };

static int older_first(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->modified > y->modified) - (x->modified < y->modified);
}

/* A name as record_name() makes it: 20261121T183000Z-host-4711.jsonl. */
static bool is_record_name(const char *name)
{
	static const char shape[] = "00000000T000000Z-";
	size_t n = strlen(name);

	for (size_t i = 0; shape[i]; i++)
		if (shape[i] == '0' ? name[i] < '0' || name[i] > '9' : name[i] != shape[i])
			return false;
	return n > sizeof shape + 6 && strcmp(name + n - 6, ".jsonl") == 0;
}

/* An empty file also counts: its run was killed as it began. */
static bool begins_as_record(int directory, const char *name)
{
	static const char beginning[] = "{\"record\":";
	auto_close int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char text[sizeof beginning - 1];
	ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof text, 0);

	return n == 0 || (n == (ssize_t)sizeof text && memcmp(text, beginning, sizeof text) == 0);
}

/* All records of the directory except one, and their number.  The caller frees *ret. */
static size_t list_records(int directory, const char *except, struct entry **ret)
{
	DIR *stream = source_open_folder(directory, ".");
	struct entry *entries = NULL;
	size_t n = 0, room = 0;

	if (!stream) {
		*ret = NULL;
		return 0;
	}
	for (struct dirent *e; (e = readdir(stream)) != NULL;) {
		struct stat status;

		if (!is_record_name(e->d_name) || strcmp(e->d_name, except) == 0 ||
		    fstatat(directory, e->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(status.st_mode))
			continue;
		if (n == room) {
			struct entry *more = reallocarray(entries, room = room ? 2 * room : 64, sizeof *entries);

			if (!more)
				break;
			entries = more;
		}
		(void)snprintf(entries[n].name, sizeof entries[n].name, "%s", e->d_name);
		entries[n].modified = status.st_mtim.tv_sec;
		entries[n++].bytes = (uint64_t)status.st_blocks * 512;
	}
	(void)closedir(stream);
	*ret = entries;
	return n;
}

void runs_directory_prune(int directory, double keep_days, uint64_t keep_bytes, const char *except)
{
	auto_free struct entry *entries = NULL;
	double oldest = (double)time(NULL) - keep_days * 86400;
	uint64_t bytes = 0;

	size_t n = list_records(directory, except, &entries);

	if (n > 0)
		qsort(entries, n, sizeof *entries, older_first);
	for (size_t i = 0; i < n; i++)
		bytes += entries[i].bytes;
	for (size_t i = 0; i < n; i++) {
		bool too_old = keep_days > 0 && (double)entries[i].modified < oldest;
		bool too_much = keep_bytes > 0 && bytes > keep_bytes;

		if (!too_old && !too_much)
			break;
		if (!begins_as_record(directory, entries[i].name))
			continue;
		(void)unlinkat(directory, entries[i].name, 0);
		bytes -= entries[i].bytes;
	}
}
