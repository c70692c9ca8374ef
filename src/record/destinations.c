/* destinations.c - which outputs a run has. */
#include "destinations.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "record_writer.h"
#include "runs_directory.h"

static int open_fifo(void *context, struct why *why)
{
	(void)why;
	int fd = open(context, O_WRONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int open_named(struct output **ret, const struct options *o, struct why *why, struct why *note)
{
	struct output_options output = { .fd = -1, .name = o->output };
	struct stat status;

	if (stat(o->output, &status) == 0 && S_ISFIFO(status.st_mode)) {
		char *path;

		memcpy(&path, &o->output, sizeof path);         /* the context is not const */
		output.open = open_fifo;
		output.context = path;
	} else {
		output.fd = open(o->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
		if (output.fd < 0)
			return why_set(why, -errno, "cannot open %s: %s", o->output, strerror(errno));
	}
	return output_open(ret, &output, note);
}

int samples_destination(struct output **ret, const struct options *o, struct why *why, struct why *note)
{
	struct output_options standard = { .borrowed = true };

	bool to_stdout = o->output && strcmp(o->output, "-") == 0;

	*ret = NULL;
	if (o->output && !to_stdout)
		return open_named(ret, o, why, note);
	if (o->quiet)
		return 0;
	if (to_stdout || options_mode(o) != MODE_COMMAND) {
		standard.fd = STDOUT_FILENO;
		standard.name = "stdout";
		if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
			return why_set(why, -errno, "cannot write to stdout: it is closed");
	} else if (o->format_given) {
		standard.fd = STDERR_FILENO;
		standard.name = "stderr";
	} else {
		return 0;
	}
	return output_open(ret, &standard, note);
}

static int open_record(void *context, struct why *why)
{
	const struct record_place *place = context;
	const char *slash = strrchr(place->path, '/');
	char directory[sizeof place->path];

	(void)snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - place->path) : 0, place->path);
	/* A name of our making is new; one that the user said is his to overwrite. */
	int how = place->named ? O_TRUNC | O_NOCTTY : O_EXCL | O_NOFOLLOW;
	int fd = open(place->path, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0600);

	if (fd < 0 && errno == ENOENT && !place->named) {
		/* --record DIR/ makes one folder; if that fails, open will say so. */
		int r = place->prune ? runs_directory_make(directory, why) : mkdir(directory, 0700);

		if (r < 0 && place->prune)
			return r;
		fd = open(place->path, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0600);
	}
	if (fd < 0)
		return why_set(why, -errno, "the record is not written: cannot make %s: %s", place->path,
			       strerror(errno));
	if (place->named)
		(void)fchmod(fd, 0600);         /* it may have been there; /dev/full and the like refuse */
	if (place->prune && runs_directory_prune_due(directory))
		runs_directory_prune(directory, place->options->record_keep_days,
				     place->options->record_keep_bytes, slash + 1);
	return fd;
}

/*
 * Whether the folder is on a device of this machine, as far as the kernel knows without asking anybody (Linux 5.12).
 * Then its file is made at once, and a thread for it only if the run takes long enough.
 */
static bool is_prompt(const struct record_place *place)
{
	struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_CACHED };
	const char *slash = strrchr(place->path, '/');
	char directory[sizeof place->path];

	if (place->named || !slash)
		return false;
	(void)snprintf(directory, sizeof directory, "%.*s", (int)(slash - place->path), place->path);

	auto_close int fd = (int)syscall(SYS_openat2, AT_FDCWD, directory, &how, sizeof how);

	return fd >= 0 && output_is_prompt(fd);
}

static bool is_directory(const char *path)
{
	struct stat status;
	size_t n = strlen(path);

	return (n > 0 && path[n - 1] == '/') || (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

static int find_place(struct record_place *place, const struct options *o, const char *host, struct why *why)
{
	char name[128], directory[768];
	const char *below = o->record;

	record_name(name, sizeof name, &o->run, host);
	if (!o->record) {
		int r = runs_directory(directory, sizeof directory, why);

		if (r < 0)
			return r;
		below = directory;
		place->prune = true;
	}

	place->named = !place->prune && !is_directory(below);
	int n = !place->named
		? snprintf(place->path, sizeof place->path, "%s/%s", below, name)
		: snprintf(place->path, sizeof place->path, "%s", below);

	if (n < 0 || (size_t)n >= sizeof place->path) {
		place->path[0] = '\0';
		return why_set(why, -ENAMETOOLONG, "the record is not written: its path is too long");
	}
	return 0;
}

void record_destination(struct output **ret, struct record_place *place, const struct options *o,
			const char *host, struct why *note)
{
	*ret = NULL;
	*place = (struct record_place){ .options = o };
	if (o->record ? strcmp(o->record, "none") == 0 : options_mode(o) == MODE_WATCH)
		return;
	if (find_place(place, o, host, note) < 0)
		return;

	struct output_options output = {
		.fd = -1, .open = open_record, .context = place, .open_anyway = true,
		.name = place->path,
	};

	if (options_mode(o) == MODE_COMMAND && is_prompt(place)) {
		output.fd = open_record(place, note);
		output.open = NULL;
		output.later = true;
		if (output.fd < 0) {
			place->path[0] = '\0';
			return;
		}
	}
	if (output_open(ret, &output, note) < 0)
		place->path[0] = '\0';
}
