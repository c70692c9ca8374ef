/* history.c - the runs with records in a directory, and the names for them. */
#include "history.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../core/scan.h"
#include "../options/options_reader.h"
#include "../record/runs_directory.h"
#include "../text/path_pattern.h"
#include "../text/shown.h"

static void ignore(const char *sentence)
{
	(void)sentence;
}

int history_directory(char *ret, size_t size, struct why *why)
{
	char name[] = "resource-tracker", *argv[] = { name, NULL };
	struct options options;
	struct stat status;
	int r = 0, n = -1;
	size_t folder;

	if (options_read(&options, 1, argv, environ, ignore, why) == OPTIONS_ERROR)
		r = -EINVAL;
	else if (options.record && strchr(options.record, '%')) {
		folder = path_pattern_folder(options.record);
		n = folder > 0 ? snprintf(ret, size, "%.*s", (int)folder, options.record) : snprintf(ret, size, ".");
	} else if (options.record && stat(options.record, &status) == 0 && S_ISDIR(status.st_mode))
		n = snprintf(ret, size, "%s", options.record);
	options_release(&options);
	if (r < 0 || (n >= 0 && (size_t)n < size))
		return r;
	return runs_directory(ret, size, why);
}

static int newest_first(const void *a, const void *b)
{
	const struct past_run *x = a, *y = b;

	if (x->run.start_wall_ns != y->run.start_wall_ns)
		return x->run.start_wall_ns < y->run.start_wall_ns ? 1 : -1;
	return strcmp(y->id, x->id);
}

/* The shortest unique prefix of each id that includes its time. */
static void shorten_ids(struct history *h)
{
	enum { TIME_LENGTH = 16 };

	for (size_t i = 0; i < h->n; i++) {
		const char *id = h->runs[i].id;
		size_t length = strlen(id), n = size_min(TIME_LENGTH, length);

		for (size_t j = 0; j < h->n; j++)
			if (j != i)
				while (n < length && strncmp(h->runs[j].id, id, n) == 0)
					n++;
		h->runs[i].short_id = n;
	}
}

static bool is_record(const char *name)
{
	size_t n = strlen(name);

	return n > 6 && strcmp(name + n - 6, ".jsonl") == 0;
}

static int read_directory(struct history *h, DIR *stream, const char *directory)
{
	size_t room = 0;

	for (struct dirent *e; (e = readdir(stream)) != NULL;) {
		char path[PATH_MAX];

		if (!is_record(e->d_name) ||
		    snprintf(path, sizeof path, "%s/%s", directory, e->d_name) >= (int)sizeof path)
			continue;
		if (h->n == room) {
			struct past_run *runs = reallocarray(h->runs, room = room ? 2 * room : 64, sizeof *runs);

			if (!runs)
				return -ENOMEM;
			h->runs = runs;
		}
		if (past_run_read(&h->runs[h->n], &h->arena, path) < 0)
			return -ENOMEM;
		h->n++;
	}
	if (h->n > 0)
		qsort(h->runs, h->n, sizeof *h->runs, newest_first);
	return 0;
}

int history_open(struct history *ret, const char *directory, struct why *why)
{
	struct history h = { .n = 0 };
	DIR *stream = opendir(directory);
	int r = 0;

	if (stream) {
		r = read_directory(&h, stream, directory);
		(void)closedir(stream);
	} else if (errno != ENOENT) {
		return why_set(why, -errno, "cannot read %s: %s", directory, strerror(errno));
	}
	if (r < 0) {
		history_close(&h);
		return why_set(why, r, "out of memory");
	}
	shorten_ids(&h);
	*ret = h;
	return 0;
}

void history_close(struct history *h)
{
	free(h->runs);
	arena_release(&h->arena);
	*h = (struct history){ .n = 0 };
}

/* "last" is 0, "last~2" is 2. */
static bool means_last(const char *name, uint64_t *ret)
{
	struct scan s = scan_of(name, strlen(name));

	*ret = 0;
	if (!scan_literal(&s, "last"))
		return false;
	return s.at == s.end || (scan_literal(&s, "~") && s.at < s.end && *s.at >= '0' && *s.at <= '9' &&
				 scan_u64(&s, ret) && s.at == s.end);
}

static const char *file_name(const struct past_run *run)
{
	const char *slash = strrchr(run->path, '/');

	return slash ? slash + 1 : run->path;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static const struct past_run *ambiguous(const struct history *h, const char *name, size_t matches, struct why *why)
{
	enum { SHOWN = 3 };
	struct buffer list = { 0 };
	size_t shown = 0;

	for (size_t i = 0; i < h->n && shown < SHOWN; i++)
		if (begins(h->runs[i].id, name) || begins(file_name(&h->runs[i]), name))
			buffer_format(&list, "%s%s", shown++ > 0 ? ", " : "", show(h->runs[i].id).text);
	if (matches > SHOWN)
		buffer_format(&list, " and %zu more", matches - SHOWN);
	(void)why_set(why, -EINVAL, "'%s' is %zu runs: %.*s", show(name).text, matches, (int)list.len,
		      list.at ? list.at : "");
	buffer_release(&list);
	return NULL;
}

const struct past_run *history_find(const struct history *h, const char *name, struct why *why)
{
	const struct past_run *found = NULL;
	size_t matches = 0;
	uint64_t back;

	if (means_last(name, &back)) {
		if (back < h->n)
			return &h->runs[back];
		(void)why_set(why, -ENOENT, "there is no '%s': the history has %zu run%s", show(name).text, h->n,
			      h->n == 1 ? "" : "s");
		return NULL;
	}
	for (size_t i = 0; *name && i < h->n; i++) {
		const struct past_run *run = &h->runs[i];

		if (strcmp(run->id, name) == 0)
			return run;
		if (begins(run->id, name) || begins(file_name(run), name)) {
			found = run;
			matches++;
		}
	}
	if (matches > 1)
		return ambiguous(h, name, matches, why);
	if (!found)
		(void)why_set(why, -ENOENT, "there is no run or file '%s': 'resource-tracker runs' lists the runs", show(name).text);
	return found;
}

bool names_a_path(const char *name)
{
	uint64_t back;

	return strcmp(name, "-") == 0 || strchr(name, '/') || (!means_last(name, &back) && access(name, F_OK) == 0);
}

int history_place(char ret[PATH_MAX], const char *given, char *const *names, size_t n, struct why *why)
{
	ret[0] = '\0';
	if (given && snprintf(ret, PATH_MAX, "%s", given) >= PATH_MAX)
		return why_set(why, -ENAMETOOLONG, "--directory: the path is too long");
	if (given && access(given, F_OK) < 0)
		return why_set(why, -errno, "--directory: cannot open %s: %s", given, strerror(errno));
	for (size_t i = 0; !given && (i < n || !names); i++)
		if (!names || !names_a_path(names[i]))
			return history_directory(ret, PATH_MAX, why);
	return 0;
}

char *run_path(const char *name, const char *directory, struct why *why)
{
	struct history h = { .n = 0 };
	const struct past_run *run;
	char *path = NULL;

	if (names_a_path(name))
		path = strdup(name);
	else if (history_open(&h, directory, why) < 0)
		return NULL;
	else {
		run = history_find(&h, name, why);
		if (run)
			path = strdup(run->path);
		history_close(&h);
		if (!run)
			return NULL;
	}
	if (!path)
		(void)why_set(why, -ENOMEM, "out of memory");
	return path;
}
