/* replaced_file.c - a file that is written aside and takes its name when it is whole. */
#include "replaced_file.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../text/shown.h"

static char part_to_remove[PATH_MAX];           /* for the signal handler; "": none */

static void remove_part(int signal)
{
	if (part_to_remove[0])
		(void)unlink(part_to_remove);
	(void)raise(signal);                    /* by now what it does is the default again */
}

static void guard(const char *part)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = remove_part, .sa_flags = (int)SA_RESETHAND };

	if (snprintf(part_to_remove, sizeof part_to_remove, "%s", part) >= (int)sizeof part_to_remove)
		part_to_remove[0] = '\0';
	for (size_t i = 0; i < countof(signals); i++) {
		struct sigaction before;

		/* Who is not to be interrupted (nohup) is not. */
		if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			(void)sigaction(signals[i], &action, NULL);
	}
}

/* "folder/.name.4711.part" */
static char *part_beside(const char *path)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash - path) + 1 : 0;
	char *part;

	return asprintf(&part, "%.*s.%s.%d.part", folder, path, path + folder, (int)getpid()) < 0 ? NULL : part;
}

static int cannot(const struct replaced_file *f, int error, struct why *why)
{
	return why_set(why, error, "cannot write %s: %s", show_path(f->name).text, strerror(-error));
}

static int open_aside(struct replaced_file *f, const char *path, struct why *why)
{
	/* The file behind a link is what is replaced; of one that is not there, the name as it stands. */
	f->path = realpath(path, NULL);
	if (!f->path)
		f->path = strdup(path);
	f->part = f->path ? part_beside(f->path) : NULL;
	if (!f->part)
		return why_set(why, -ENOMEM, "out of memory");
	(void)unlink(f->part);                  /* of a process that had our number and was killed */
	f->fd = open(f->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (f->fd < 0)
		return cannot(f, -errno, why);
	guard(f->part);
	return 0;
}

int replaced_file_open(struct replaced_file *ret, const char *path, struct why *why)
{
	struct replaced_file f = { .fd = STDOUT_FILENO, .name = "stdout" };
	struct stat status;
	int r = 0;

	/* Too large a file is an error to be told, and no reason to die. */
	(void)signal(SIGXFSZ, SIG_IGN);
	if (path && strcmp(path, "-") != 0) {
		f.name = path;
		if (stat(path, &status) < 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
			r = stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? cannot(&f, -EISDIR, why)
										 : open_aside(&f, path, why);
		else if ((f.fd = open(path, O_WRONLY | O_CLOEXEC)) < 0)
			r = cannot(&f, -errno, why);
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
	if (f->fd > STDERR_FILENO)
		close_p(&f->fd);
	free(f->path);
	free(f->part);
	*f = (struct replaced_file){ .fd = -1 };
}

int replaced_file_finish(struct replaced_file *f, struct why *why)
{
	int r = 0;

	/* A disk may say only now that it is full. */
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
