/* asked_program.c - runs a companion for what it prints. */
#include "asked_program.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "../core/companion.h"

static double now_seconds(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Starts it with the usual signals, and with `output` as its stdout and stderr.  0, or an errno. */
static int start(pid_t *ret, const struct asked_program *p, const char *path, int output)
{
	static const int usual[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD };
	/* posix_spawn does not modify its arguments. */
	union { const char *const *given; char *const *at; } words = { p->words };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;
	int error = posix_spawnattr_init(&attributes);

	if (error != 0)
		return error;
	error = posix_spawn_file_actions_init(&files);
	if (error == 0) {
		(void)sigemptyset(&none);
		(void)sigemptyset(&defaults);
		for (size_t i = 0; i < countof(usual); i++)
			(void)sigaddset(&defaults, usual[i]);
		(void)posix_spawnattr_setsigmask(&attributes, &none);
		(void)posix_spawnattr_setsigdefault(&attributes, &defaults);
		(void)posix_spawnattr_setflags(&attributes, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
								    (p->own_group ? POSIX_SPAWN_SETPGROUP : 0)));
		/* stdin last: where the caller closed the standard descriptors, `output` is one of them. */
		for (int fd = STDOUT_FILENO; error == 0 && fd <= STDERR_FILENO; fd++)
			error = posix_spawn_file_actions_adddup2(&files, output, fd);
		if (error == 0)
			error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
		error = error == 0 ? posix_spawn(ret, path, &files, &attributes, words.at, environ) : error;
		(void)posix_spawn_file_actions_destroy(&files);
	}
	(void)posix_spawnattr_destroy(&attributes);
	return error;
}

/* Reads until the other end is closed.  -ETIMEDOUT: it is open after `seconds`. */
static int read_all(struct buffer *out, int fd, double seconds)
{
	double until = now_seconds() + seconds;
	char chunk[4096];

	for (;;) {
		struct pollfd input = { .fd = fd, .events = POLLIN };
		double left = until - now_seconds();
		int ready = left > 0 ? poll(&input, 1, (int)(left * 1000) + 1) : 0;
		ssize_t n = ready > 0 ? read(fd, chunk, sizeof chunk) : -1;

		if (ready == 0)
			return -ETIMEDOUT;
		if (n == 0)
			return out->failed ? -ENOMEM : 0;
		if (n > 0)
			buffer_bytes(out, chunk, (size_t)n);
		else if (errno != EINTR)
			return -errno;
	}
}

/* Waits for it, and judges it.  r: of read_all; said: all that it wrote. */
static int judge(const struct asked_program *p, pid_t pid, int r, const struct buffer *said, struct why *why)
{
	int status = 0, length;

	if (r < 0)
		(void)kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (r == -ETIMEDOUT)
		return why_set(why, r, "%s took too long", p->name);
	if (r < 0)
		return why_set(why, r, "%s", strerror(-r));
	if (WIFSIGNALED(status))
		return why_set(why, -ECANCELED, "%s was ended by signal %d", p->name, WTERMSIG(status));
	if (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == p->fine)
		return 0;

	const char *text = said->at ? said->at : "";
	size_t name = strlen(p->prefix), n = said->len;

	if (n > name && memcmp(text, p->prefix, name) == 0) {
		text += name;
		n -= name;
	}
	length = (int)size_min(n, 200);
	while (length > 0 && text[length - 1] == '\n')
		length--;
	return why_set(why, -ECANCELED, "%.*s", length, text);
}

int asked_program_read(struct buffer *out, const struct asked_program *p, double seconds, struct why *why)
{
	struct buffer said = { 0 };
	char path[PATH_MAX];
	int ends[2];
	pid_t pid = 0;

	if (!companion_path(path, sizeof path, RT_LIBEXEC, p->name))
		return why_set(why, -ENOENT, "%s is not installed", p->name);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return why_set(why, -errno, "no pipe: %s", strerror(errno));

	int r = -start(&pid, p, path, ends[1]);

	close_p(&ends[1]);
	if (r == 0)
		r = judge(p, pid, read_all(&said, ends[0], seconds), &said, why);
	else
		r = why_set(why, r, "%s: %s", p->name, strerror(-r));
	close_p(&ends[0]);
	if (r == 0)
		buffer_bytes(out, said.at ? said.at : "", said.len);
	buffer_release(&said);
	return r;
}
