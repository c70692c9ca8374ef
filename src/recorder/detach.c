/* detach.c - --detach: the recorder goes on in the background. */
#include "detach.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "../core/json_write.h"
#include "child.h"
#include "own_cost.h"
#include "session_regions.h"

enum { OWN_FAILURE = 125 };

/* 0, or -errno; what was read before counts. */
static int read_all(struct buffer *ret, int fd)
{
	for (;;) {
		if (!buffer_reserve(ret, 4096))
			return -ENOMEM;

		ssize_t n = read(fd, ret->at + ret->len, 4096);

		if (n == 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		ret->len += n > 0 ? (size_t)n : 0;
	}
}

static bool write_all(int fd, const char *at, size_t n)
{
	while (n > 0) {
		ssize_t written = write(fd, at, n);

		if (written < 0 && errno != EINTR)
			return false;
		at += written > 0 ? written : 0;
		n -= written > 0 ? (size_t)written : 0;
	}
	return true;
}

/* It ended before it measured: with its sentence on stderr, or killed. */
static int status_of(pid_t recorder, struct why *why)
{
	int status = 0;

	while (waitpid(recorder, &status, 0) < 0)
		if (errno != EINTR)
			return OWN_FAILURE;
	if (WIFSIGNALED(status))
		(void)why_set(why, 0, "the recorder was killed by signal %d before it measured", WTERMSIG(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : OWN_FAILURE;
}

static int pass_on(int fd, pid_t recorder, struct why *why)
{
	struct buffer line = { 0 };
	int error = read_all(&line, fd);
	int status = 0;

	if (line.len == 0)
		status = status_of(recorder, why);
	else if (error < 0 || !write_all(STDOUT_FILENO, line.at, line.len)) {
		/* It cannot be known to who asked for it, so it could never be ended. */
		(void)kill(recorder, SIGTERM);
		(void)why_set(why, 0, "cannot write to stdout");
		status = OWN_FAILURE;
	} else {
		(void)!write(fd, "", 1);        /* the recorder waits for this */
	}
	buffer_release(&line);
	return status;
}

bool detach_begin(int *ret_fd, int *ret_status, struct why *why)
{
	int ends[2];
	pid_t pid = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? fork() : -1;

	if (pid < 0) {
		(void)why_set(why, -errno, "cannot go to the background: %s", strerror(errno));
		*ret_status = OWN_FAILURE;
		return true;
	}
	if (pid == 0) {
		(void)close(ends[0]);
		(void)setsid();
		/* Programs beside the job do not keep it open: who reads our output would wait until they end. */
		(void)fcntl(STDERR_FILENO, F_SETFD, FD_CLOEXEC);
		own_cost_begin();
		*ret_fd = ends[1];
		return false;
	}
	/* A reader of our stdout that is gone is a failed write, after which the recorder has to be ended. */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)close(ends[1]);
	*ret_status = pass_on(ends[0], pid, why);
	(void)close(ends[0]);
	return true;
}

static void leave_standard_descriptors(void)
{
	auto_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = STDIN_FILENO; null > STDERR_FILENO && fd <= STDERR_FILENO; fd++)
		(void)dup2(null, fd);
}

/* false: the process that was to print the line is gone before it has, so the recorder is not known to anything. */
static bool is_printed(int fd)
{
	char byte;
	ssize_t n;

	(void)shutdown(fd, SHUT_WR);
	do
		n = read(fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

int detach_ready(int *fd, struct why *why)
{
	static const char *const variables[] = { RECORD_VARIABLE, REGION_LINES_VARIABLE, RT_REGION_VARIABLE };
	struct buffer line = { 0 };
	struct json j = json_to(&line);

	json_open(&j, '{');
	json_member_i64(&j, "pid", getpid());
	json_member_open(&j, "environment", '{');
	for (size_t i = 0; i < countof(variables); i++)
		if (getenv(variables[i]))
			json_member_text(&j, variables[i], getenv(variables[i]));
	json_close(&j, '}');
	json_close(&j, '}');
	buffer_char(&line, '\n');
	leave_standard_descriptors();

	int r = line.failed ? -ENOMEM : write_all(*fd, line.at, line.len) ? 0 : -errno;

	if (r == 0 && !is_printed(*fd))
		(void)kill(getpid(), SIGTERM);  /* it ends as if it were asked to, with its record */
	buffer_release(&line);
	close_p(fd);
	return r < 0 ? why_set(why, r, "cannot go to the background: %s", strerror(-r)) : 0;
}
