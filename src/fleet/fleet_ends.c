/* fleet_ends.c - `fleet records`. */
#include "fleet_ends.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../text/shown.h"

enum { COLUMN_RECORD, COLUMN_LINES, COLUMN_START };

/* As job_is_called: the id, or the id up to its server or the number of a task. */
#define OF_JOB \
	"WHERE substr(job_id, 1, length(:name) + 1) IN (:name, :name || '.', :name || '[') OR job_array_id = :name " \
	"ORDER BY start_us, id"
static const char *const questions[DIALECTS] = {
	[DIALECT_SQLITE] = "SELECT record, lines, start_us FROM ends " OF_JOB,
	[DIALECT_CLICKHOUSE] = "SELECT record, lines, start_us FROM ends FINAL " OF_JOB,
};

static bool is_plain(const char *name)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

	return *name && *name != '.' && strlen(name) < 200 && strspn(name, plain) == strlen(name);
}

/* A name from a store is not trusted. */
static int create(int folder, const char *record, size_t number)
{
	const char *slash = strrchr(record, '/'), *name = slash ? slash + 1 : record;
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	int fd = is_plain(name) ? openat(folder, name, flags, 0600) : -1;
	char other[40];

	if (fd >= 0)
		return fd;
	(void)snprintf(other, sizeof other, "record-%zu.jsonl", number);
	fd = openat(folder, other, flags, 0600);
	return fd < 0 ? -errno : fd;
}

static int write_all(int fd, const char *text)
{
	for (size_t n = strlen(text); n > 0;) {
		ssize_t done = write(fd, text, n);

		if (done < 0 && errno != EINTR)
			return -errno;
		text += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return 0;
}

/* A record without an end that has just been written would be one of a run that goes on. */
static int set_time(int fd, double start_us)
{
	const struct timespec start = { .tv_sec = (time_t)(start_us / 1e6) }, both[] = { start, start };

	return futimens(fd, both) < 0 ? -errno : 0;
}

static int write_files(const struct fleet_result *result, const char *path, struct why *why)
{
	bool there = mkdir(path, 0700) == 0 || errno == EEXIST;
	auto_close int folder = there ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int r = folder < 0 ? -errno : 0;

	for (size_t i = 0; r == 0 && i < result->n_rows; i++) {
		auto_close int fd = create(folder, fleet_result_at(result, i, COLUMN_RECORD).text, i);

		r = fd < 0 ? fd : write_all(fd, fleet_result_at(result, i, COLUMN_LINES).text);
		if (r == 0)
			r = set_time(fd, fleet_result_at(result, i, COLUMN_START).number);
	}
	return r < 0 ? why_set(why, r, "cannot write records into %s: %s", show_path(path).text, strerror(-r)) : 0;
}

int fleet_ends_write(size_t *ret_n, const struct store_kind *kind, struct fleet_store *store, const char *job,
		     const char *folder, struct why *why)
{
	const struct fleet_query q = { .name = job };
	struct parameter parameters[FLEET_PARAMETERS];
	struct fleet_result result = { .n_rows = 0 };
	int r = fleet_parameters_read(parameters, &q, 0, why);

	if (r == 0)
		r = kind->ask(store, questions[kind->dialect], parameters, countof(parameters), &result, why);
	if (r == 0 && result.n_rows == 0)
		r = why_set(why, -ENOENT, "no run of the job '%s' is there", show(job).text);
	if (r == 0)
		r = write_files(&result, folder, why);
	*ret_n = r == 0 ? result.n_rows : 0;
	fleet_result_release(&result);
	return r;
}
