/* runs_directory.c - where records live when nothing else is said. */
#include "runs_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../core/source.h"

int runs_directory(char *ret, size_t size, struct why *why)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n;

	/* The XDG specification: a path that is not absolute is to be ignored. */
	if (state && state[0] == '/')
		n = snprintf(ret, size, "%s/resource-tracker/runs", state);
	else if (home && home[0] == '/')
		n = snprintf(ret, size, "%s/.local/state/resource-tracker/runs", home);
	else
		return why_set(why, -ENOENT, "there is no place for the record: "
			       "neither XDG_STATE_HOME nor HOME is set");
	return n < 0 || (size_t)n >= size
		? why_set(why, -ENAMETOOLONG, "there is no place for the record: its path is too long") : 0;
}

int runs_directory_make(const char *path, struct why *why)
{
	char part[1024];

	for (const char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
		size_t n = slash ? (size_t)(slash - path) : strlen(path);

		if (n >= sizeof part)
			return why_set(why, -ENAMETOOLONG, "cannot make %s: the path is too long", path);
		memcpy(part, path, n);
		part[n] = '\0';
		if (mkdir(part, 0700) < 0 && errno != EEXIST && errno != EISDIR && access(part, X_OK) < 0)
			return why_set(why, -errno, "cannot make %s: %s", part, strerror(errno));
		if (!slash)
			return 0;
	}
}

bool runs_directory_prune_due(const char *path)
{
	enum { PAUSE_SECONDS = 3600 };
	auto_close int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat status;

	if (directory < 0)
		return false;
	if (fstatat(directory, ".pruned", &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    status.st_mtim.tv_sec + PAUSE_SECONDS > time(NULL))
		return false;

	auto_close int mark = openat(directory, ".pruned", O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	return mark >= 0 && futimens(mark, NULL) == 0;
}

struct entry { char name[NAME_MAX + 1]; int64_t modified; uint64_t bytes; };

static int older_first(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->modified > y->modified) - (x->modified < y->modified);
}

static bool is_record(const char *name)
{
	size_t n = strlen(name);

	return n > 6 && strcmp(name + n - 6, ".jsonl") == 0;
}

/* All records of the directory, to be freed; their number. */
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

		if (!is_record(e->d_name) || strcmp(e->d_name, except) == 0 ||
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

void runs_directory_prune(const char *path, double keep_days, uint64_t keep_bytes, const char *except)
{
	auto_close int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	auto_free struct entry *entries = NULL;
	double oldest = (double)time(NULL) - keep_days * 86400;
	uint64_t bytes = 0;

	if (directory < 0)
		return;
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
		(void)unlinkat(directory, entries[i].name, 0);
		bytes -= entries[i].bytes;
	}
}
