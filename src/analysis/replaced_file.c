/* replaced_file.c - writes a temporary file and renames it when it is complete. */
#include "replaced_file.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../core/file_place.h"
#include "../core/output_file.h"
#include "../core/signal_mask.h"
#include "../text/shown.h"
#include "part_file.h"

static char part_to_remove[PATH_MAX];           /* for the signal handler; "": none */

static void remove_part(int signal)
{
	if (part_to_remove[0])
		(void)unlink(part_to_remove);
	(void)raise(signal);                    /* the default action is restored by now */
}

static const int signals_that_end[] = { SIGINT, SIGTERM, SIGHUP };

static uint64_t block_signals_that_end(void)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < countof(signals_that_end); i++)
		mask |= SIGNAL_BIT(signals_that_end[i]);
	return signal_mask_block(mask);
}

static void guard(const char *part)
{
	struct sigaction action = { .sa_handler = remove_part, .sa_flags = (int)SA_RESETHAND };

	if (snprintf(part_to_remove, sizeof part_to_remove, "%s", part) >= (int)sizeof part_to_remove)
		part_to_remove[0] = '\0';
	for (size_t i = 0; i < countof(signals_that_end); i++) {
		struct sigaction before;

		/* An ignored signal (nohup) stays ignored. */
		if (sigaction(signals_that_end[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			(void)sigaction(signals_that_end[i], &action, NULL);
	}
}

static int cannot(const struct replaced_file *f, int error, struct why *why)
{
	return why_set(why, error, "cannot write %s: %s", show_path(f->name).text, strerror(-error));
}

/* The file that is made or replaced.  A link that was not there when it was looked at is not followed. */
static int find_target(struct replaced_file *f, const char *path, struct why *why)
{
	char target[PATH_MAX];
	struct why reason;
	mode_t type;
	int r = output_file_look(path, &type, &reason);

	if (r < 0)
		return why_set(why, r, "cannot write %s: %s", show_path(path).text, reason.text);
	f->path = type == S_IFLNK ? realpath(path, NULL) : strdup(path);
	if (!f->path && errno == ENOENT && file_place_follow(target, path))
		f->path = strdup(target);
	return f->path ? 0 : cannot(f, -errno, why);
}

static int open_aside(struct replaced_file *f, const char *path, struct why *why)
{
	struct stat before;
	int r = find_target(f, path, why);

	if (r < 0)
		return r;

	/* A signal between the creation of the part and the registration for its removal is delayed until then. */
	uint64_t mask = block_signals_that_end();

	f->fd = part_file_open(f->path, &f->part);
	/* Our own file keeps its mode; a new one is readable only by the user. */
	if (f->fd >= 0 && lstat(f->path, &before) == 0 && S_ISREG(before.st_mode) && before.st_uid == geteuid())
		(void)fchmod(f->fd, before.st_mode & 0777);
	if (f->fd >= 0)
		guard(f->part);
	(void)signal_mask_set(mask);
	return f->fd < 0 ? cannot(f, f->fd, why) : 0;
}

/* -1: `path` is the name of a file. */
static int descriptor(const char *path)
{
	return path ? output_file_descriptor(path) : STDOUT_FILENO;
}

static bool is_dash(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

int replaced_file_check(const char *output, const char *input, struct why *why)
{
	struct file_place to, from;
	int fd = descriptor(output);
	const char *from_name = is_dash(input) ? "stdin" : input;

	if (!(fd >= 0 ? file_place_of_descriptor(&to, fd) : file_place_of(&to, output)) ||
	    !(is_dash(input) ? file_place_of_descriptor(&from, STDIN_FILENO) : file_place_of(&from, input)) ||
	    !file_place_same(&to, &from))
		return 0;
	return why_set(why, -EINVAL, "%s%s is the recording that is read, %s: write to another file",
		       is_dash(output) ? "" : "-o ", is_dash(output) ? "stdout" : show_path(output).text,
		       show_path(from_name).text);
}

int replaced_file_open(struct replaced_file *ret, const char *path, struct why *why)
{
	struct replaced_file f = { .fd = descriptor(path), .name = is_dash(path) ? "stdout" : path };
	struct stat status;
	struct why reason;
	int r = 0;

	/* A file that is too large is reported as an error instead of by SIGXFSZ. */
	(void)signal(SIGXFSZ, SIG_IGN);
	f.borrowed = f.fd >= 0;
	if (!f.borrowed) {
		bool there = stat(path, &status) == 0;

		if (there && S_ISDIR(status.st_mode))
			r = cannot(&f, -EISDIR, why);
		else if (!there || S_ISREG(status.st_mode))
			r = open_aside(&f, path, why);
		else if ((f.fd = output_file_open(path, 0600, true, &reason)) < 0)
			r = why_set(why, f.fd, "cannot write %s: %s", show_path(path).text, reason.text);
	}
	if (r < 0) {
		free(f.path);
		free(f.part);
		return r;
	}
	*ret = f;
	return 0;
}

int replaced_file_write(struct replaced_file *f, const void *bytes, size_t n, struct why *why)
{
	for (const char *at = bytes; n > 0;) {
		ssize_t done = write(f->fd, at, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return cannot(f, -errno, why);
		at += done;
		n -= (size_t)done;
	}
	return 0;
}

static void release(struct replaced_file *f)
{
	part_to_remove[0] = '\0';
	if (!f->borrowed)
		close_p(&f->fd);
	free(f->path);
	free(f->part);
	*f = (struct replaced_file){ .fd = -1 };
}

int replaced_file_finish(struct replaced_file *f, struct why *why)
{
	int r = 0;

	/* A full disk can be reported only now. */
	if (f->part && (fsync(f->fd) < 0 || rename(f->part, f->path) < 0))
		r = cannot(f, -errno, why);
	if (r < 0)
		replaced_file_abandon(f);
	else
		release(f);
	return r;
}

void replaced_file_abandon(struct replaced_file *f)
{
	if (f->part)
		(void)unlink(f->part);
	release(f);
}
