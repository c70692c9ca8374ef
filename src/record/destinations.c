/* destinations.c - finds and opens the outputs of a run. */
#include "destinations.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../core/output_file.h"
#include "record_name.h"
#include "runs_directory.h"

static bool is_fifo(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

static int open_fifo(void *context, struct why *why)
{
	struct why reason;
	int fd = output_file_open(context, 0666, true, &reason);

	return fd < 0 ? why_set(why, fd, "cannot open %s: %s", (const char *)context, reason.text) : fd;
}

static int open_path(struct output_options *output, const char *path, mode_t mode, struct why *why)
{
	struct why reason;

	output->name = path;
	output->fd = -1;
	if (is_fifo(path)) {
		output->open = open_fifo;
		memcpy(&output->context, &path, sizeof path);   /* `context` is not const */
		output->context_bytes = strlen(path) + 1;
		return 0;
	}
	output->fd = output_file_open(path, mode, false, &reason);
	return output->fd >= 0 ? 0 : why_set(why, output->fd, "cannot open %s: %s", path, reason.text);
}

/* output_open, which here owns options->fd.  note: of an output that was opened, but without a thread. */
static int open_output(struct output **ret, const struct output_options *options, struct why *why, struct why *note)
{
	struct why reason = { 0 };
	int r = output_open(ret, options, &reason);

	if (r == 0) {
		if (note && reason.text[0])
			*note = reason;
		return 0;
	}
	if (options->fd >= 0 && !options->borrowed)
		(void)close(options->fd);
	return why_set(why, r, "cannot write to %s: %s", options->name, reason.text);
}

static int open_named(struct output **ret, const struct options *o, struct why *why, struct why *note)
{
	struct output_options output = {
		.fd = output_file_descriptor(o->output), .name = o->output, .borrowed = true,
		.gather_seconds = gather_seconds(o),
	};

	if (output.fd >= 0 && fcntl(output.fd, F_GETFD) < 0)
		return why_set(why, -errno, "cannot write to %s: it is closed", o->output);
	if (output.fd < 0) {
		int r = open_path(&output, o->output, 0666, why);

		if (r < 0)
			return r;
		output.borrowed = false;
	}
	return open_output(ret, &output, why, note);
}

static int take_descriptor(struct output_options *output, const char *feed, int fd, struct why *why)
{
	int mode = fcntl(fd, F_GETFL);

	if (mode < 0)
		return why_set(why, -errno, "cannot write to %s: no such descriptor is open", feed);
	if ((mode & O_ACCMODE) == O_RDONLY)
		return why_set(why, -EBADF, "cannot write to %s: it is open for reading", feed);
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	output->name = feed;
	output->fd = fd;
	return 0;
}

int feed_destination(struct output **ret, const struct options *o, const char *feed, struct why *why, struct why *note)
{
	struct output_options output = { .fd = -1, .gather_seconds = gather_seconds(o) };
	int fd = feed_descriptor(feed);
	int r = fd >= 0 ? take_descriptor(&output, feed, fd, why) : open_path(&output, feed, 0600, why);

	if (r == 0 && fd < 0 && output.fd >= 0)
		output_file_hold(output.fd);
	return r == 0 ? open_output(ret, &output, why, note) : r;
}

int samples_destination(struct output **ret, const struct options *o, struct why *why, struct why *note)
{
	struct output_options standard = { .borrowed = true, .gather_seconds = gather_seconds(o) };

	bool to_stdout = o->output && strcmp(o->output, "-") == 0;

	*ret = NULL;
	if (o->output && !to_stdout)
		return open_named(ret, o, why, note);
	if (o->quiet || o->view)
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
	return open_output(ret, &standard, why, note);
}

/* Opens the folder of --record DIR/, and creates it (only the last part) if it is missing. */
static int open_folder(const char *path, struct why *why)
{
	const int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;     /* works without read permission on the folder */
	int fd = open(path, flags);

	if (fd < 0 && errno == ENOENT && (mkdir(path, 0700) == 0 || errno == EEXIST))
		fd = open(path, flags);
	return fd < 0 ? why_set(why, -errno, "cannot make %s: %s", path, strerror(errno)) : fd;
}

/* A generated name must be new; a file that the user named is overwritten and keeps its mode. */
static int make_record(const struct record_place *place, const char *directory, const char *name, struct why *why)
{
	auto_close int folder = -1;
	struct why reason;
	int fd;

	if (place->named) {
		fd = output_file_open(place->path, 0600, true, &reason);
		if (fd < 0)
			return why_set(why, fd, "cannot make %s: %s", place->path, reason.text);
		output_file_hold(fd);
		return fd;
	}
	folder = place->prune ? runs_directory_open(directory, true, why) : open_folder(directory, why);
	if (folder < 0)
		return folder;
	fd = openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC | O_EXCL | O_NOFOLLOW, 0600);
	if (fd < 0)
		return why_set(why, -errno, "cannot make %s: %s", place->path, strerror(errno));
	output_file_hold(fd);
	if (place->prune && runs_directory_prune_due(folder))
		runs_directory_prune(folder, place->keep_days, place->keep_bytes, name);
	return fd;
}

/* The folder of a path, "/" for "/name".  Returns the name; without a slash, the folder is empty. */
static const char *split(char *ret_folder, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');
	int n = slash == path ? 1 : slash ? (int)(slash - path) : 0;

	(void)snprintf(ret_folder, size, "%.*s", n, path);
	return slash ? slash + 1 : path;
}

static int open_record(void *context, struct why *why)
{
	const struct record_place *place = context;
	char directory[sizeof place->path];
	const char *name = split(directory, sizeof directory, place->path);
	struct why reason;
	int fd = make_record(place, directory, name, &reason);

	return fd < 0 ? why_set(why, fd, "the record is not written: %s", reason.text) : fd;
}

/*
 * Whether the folder is on a device of this machine, as far as the kernel has it cached (RESOLVE_CACHED, Linux 5.12).
 * Then the file is created at once, and its thread is only started if the run lasts long enough.
 */
static bool is_prompt(const struct record_place *place)
{
	struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_CACHED };
	char directory[sizeof place->path];

	(void)split(directory, sizeof directory, place->path);
	if (place->named || !directory[0])
		return false;

	auto_close int fd = (int)syscall(SYS_openat2, AT_FDCWD, directory, &how, sizeof how);

	return fd >= 0 && output_is_prompt(fd);
}

static bool is_directory(const char *path)
{
	struct stat status;
	size_t n = strlen(path);

	return (n > 0 && path[n - 1] == '/') || (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

static int find_place(struct record_place *place, const struct options *o, const struct run *run, const char *host,
		      struct why *why)
{
	char name[128], directory[768];
	const char *below = o->record;

	record_name(name, sizeof name, run, host);
	if (!o->record) {
		int r = runs_directory(directory, sizeof directory, why);

		if (r < 0)
			return r;
		below = directory;
		place->prune = true;
	}

	place->named = !place->prune && !is_directory(below);
	int n = !place->named
		? record_path(place->path, sizeof place->path, below, name)
		: snprintf(place->path, sizeof place->path, "%s", below);

	if (n < 0 || (size_t)n >= sizeof place->path) {
		place->path[0] = '\0';
		return why_set(why, -ENAMETOOLONG, "the record is not written: its path is too long");
	}
	return 0;
}

int record_destination(struct output **ret, struct record_place *place, const struct options *o,
		       const struct run *run, const char *host, struct why *why, struct why *note)
{
	*ret = NULL;
	*place = (struct record_place){ .keep_days = o->record_keep_days, .keep_bytes = o->record_keep_bytes };
	if (o->record ? strcmp(o->record, "none") == 0 : options_mode(o) == MODE_WATCH)
		return 0;

	int r = find_place(place, o, run, host, why);

	if (r < 0)
		return r;

	struct output_options output = {
		.fd = -1, .open = open_record, .context = place, .context_bytes = sizeof *place,
		.name = place->path,
		.open_anyway = !place->named || !is_fifo(place->path), .gather_seconds = gather_seconds(o),
	};

	if (options_mode(o) == MODE_COMMAND && is_prompt(place)) {
		r = output.fd = open_record(place, why);
		output.open = NULL;
		output.later = true;
	}
	if (r >= 0)
		r = open_output(ret, &output, why, note);
	if (r < 0)
		place->path[0] = '\0';
	return r;
}
