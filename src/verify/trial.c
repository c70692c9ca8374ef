/* trial.c - runs a built-in load, with the recorder around it or without. */
#include "verify.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../core/scan.h"
#include "load.h"

enum { LIMIT_SECONDS = 900, REFUSED = 2, NOT_STARTED = 125, WORDS_MAX = LOAD_WORDS_MAX + 16 };

int bench_open(struct bench *b, struct why *why)
{
	const char *place = getenv("TMPDIR");

	/* /tmp is often in memory; file loads must reach a disk. */
	if (!place || !*place)
		place = access("/var/tmp", W_OK | X_OK) == 0 ? "/var/tmp" : "/tmp";
	(void)snprintf(b->directory, sizeof b->directory, "%s/resource-tracker-verify-XXXXXX", place);
	if (!mkdtemp(b->directory))
		return why_set(why, -errno, "%s: %s; TMPDIR names another place", b->directory, strerror(errno));
	return 0;
}

static void path_of(const struct bench *b, const char *file, char *ret, size_t size)
{
	(void)snprintf(ret, size, "%s/%s", b->directory, file);
}

/* Removes all files there, including those of a load that was killed. */
static void remove_files(const struct bench *b)
{
	DIR *directory = opendir(b->directory);

	if (!directory)
		return;
	for (struct dirent *e; (e = readdir(directory));)
		if (e->d_name[0] != '.')
			(void)unlinkat(dirfd(directory), e->d_name, 0);
	(void)closedir(directory);
}

void bench_close(struct bench *b)
{
	remove_files(b);
	(void)rmdir(b->directory);
}

void bench_record(const struct bench *b, char *ret, size_t size)
{
	path_of(b, "record", ret, size);
}

struct words { const char *at[WORDS_MAX]; size_t n; };

static void add(struct words *w, const char *word)
{
	if (w->n + 1 < WORDS_MAX)
		w->at[w->n++] = word;
	w->at[w->n] = NULL;
}

static void add_option(struct words *w, const char *option, const char *value)
{
	if (value) {
		add(w, option);
		add(w, value);
	}
}

static _Noreturn void become(const struct bench *b, char *const words[], bool refuse)
{
	int null = open("/dev/null", O_RDWR), said = -1;

	/* Not in a folder of the user's: a configuration file could be there. */
	if (chdir(b->directory) == 0)
		said = open("said", O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (null < 0 || said < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(said, STDERR_FILENO) < 0)
		_exit(NOT_STARTED);
	if (refuse && refuse_perf() < 0) {
		(void)dprintf(STDERR_FILENO, "--without-perf: no filter of system calls is possible: %s\n", strerror(errno));
		_exit(NOT_STARTED);
	}
	(void)execv(words[0], words);
	(void)dprintf(STDERR_FILENO, "%s: %s\n", words[0], strerror(errno));
	_exit(NOT_STARTED);
}

/*
 * Waits until it ends, for at most `seconds` or until a signal of ours arrives; then kills it.  The wait status, or
 * -errno.
 */
static int wait_for(pid_t pid, const struct bench *b, double seconds)
{
	int status, fd = (int)syscall(SYS_pidfd_open, pid, 0), result = 0;
	struct pollfd end = { .fd = fd, .events = POLLIN };

	/* Without pidfds (before Linux 5.3) only waitpid waits. */
	if (fd >= 0) {
		int n = poll(&end, 1, (int)(seconds * 1e3));

		result = n > 0 ? 0 : n == 0 ? -ETIMEDOUT : -EINTR;
		(void)close(fd);
		if (n <= 0)
			(void)kill(pid, *b->stopped ? SIGTERM : SIGKILL);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return *b->stopped ? -EINTR : result < 0 ? result : status;
}

static ssize_t read_file(const struct bench *b, const char *file, char *text, size_t size)
{
	char path[PATH_MAX];

	path_of(b, file, path, sizeof path);

	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	text[n > 0 ? n : 0] = '\0';
	return n;
}

/* The last line on stderr gives the reason. */
static const char *last_words(const struct bench *b, char *text, size_t size)
{
	ssize_t n = read_file(b, "said", text, size);
	char *line;

	while (n > 0 && text[n - 1] == '\n')
		text[--n] = '\0';
	line = n > 0 ? strrchr(text, '\n') : NULL;
	return line ? line + 1 : text;
}

static int failed(struct trial *t, const struct bench *b, int status)
{
	char said[1024];
	const char *words = last_words(b, said, sizeof said);

	t->refused = WIFEXITED(status) && WEXITSTATUS(status) == REFUSED;
	t->not_started = WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED;
	if (WIFSIGNALED(status))
		return why_set(&t->why, -EIO, "signal %d ended it", WTERMSIG(status));
	return why_set(&t->why, -EIO, "%s", *words ? words : "it failed without a word");
}

/* The recorder with its options; the caller adds the command or the pids. */
static struct words recorder(const struct bench *b)
{
	struct words w = { .n = 0 };

	add(&w, b->recorder);
	add(&w, "--quiet");
	add_option(&w, "--record", "record");
	add_option(&w, "--interval", b->interval);
	add_option(&w, "--cpu-source", b->cpu_source);
	add_option(&w, "--perf-cpus", b->perf_cpus);
	return w;
}

static void add_load(struct words *w, const struct bench *b, const char *const *load, const char *hold)
{
	add(w, b->self);
	add(w, "load");
	for (size_t i = 0; i < LOAD_WORDS_MAX && load[i]; i++)
		add(w, strcmp(load[i], "@") == 0 ? b->directory : load[i]);
	add_option(w, "--hold", hold);
	add_option(w, "--truth", "truth");
}

static pid_t begin(const struct bench *b, const struct words *w, bool refuse, struct why *why)
{
	pid_t pid = fork();

	if (pid == 0)
		become(b, (char *const *)(uintptr_t)w->at, refuse);
	return pid < 0 ? why_set(why, -errno, "fork: %s", strerror(errno)) : pid;
}

/* As wait_for, for a recorder attached to a load that already runs; the recorder ends when the load does. */
static int run_attached(const struct bench *b, const struct words *load, double limit_seconds, struct why *why)
{
	struct words w = recorder(b);
	pid_t pid = begin(b, load, false, why), beside;
	int status, load_status;
	char number[16];

	if (pid < 0)
		return pid;
	(void)snprintf(number, sizeof number, "%d", (int)pid);
	add_option(&w, "--pid", number);
	add_option(&w, "--csv", "process");
	add_option(&w, "--output", "samples");
	beside = begin(b, &w, b->without_perf, why);
	status = beside < 0 ? beside : wait_for(beside, b, limit_seconds);
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, &load_status, 0) < 0 && errno == EINTR)
		;
	return status != 0 ? status : load_status;
}

int trial_run(struct trial *ret, const struct bench *b, const char *const *load, double hold_seconds,
	      enum recorded recorded)
{
	double limit_seconds = LIMIT_SECONDS + hold_seconds;
	struct words w = { .n = 0 };
	char hold[32];
	int status;

	(void)snprintf(hold, sizeof hold, "%.3f", hold_seconds);
	*ret = (struct trial){ .truth = { .kind = JSON_NULL } };
	remove_files(b);
	if (recorded == AROUND) {
		w = recorder(b);
		add(&w, "--");
	}
	add_load(&w, b, load, hold_seconds > 0 ? hold : NULL);
	ret->began = load_clock(CLOCK_MONOTONIC);
	if (recorded == ATTACHED) {
		status = run_attached(b, &w, limit_seconds, &ret->why);
	} else {
		status = begin(b, &w, recorded == AROUND && b->without_perf, &ret->why);
		if (status > 0)
			status = wait_for(status, b, limit_seconds);
	}
	ret->ended = load_clock(CLOCK_MONOTONIC);
	if (status == -EINTR || (status < 0 && ret->why.text[0]))
		return status;
	if (status < 0)
		return why_set(&ret->why, status, "it did not end within %.0f s", limit_seconds);
	if (status != 0)
		return failed(ret, b, status);

	ssize_t n = read_file(b, "truth", ret->text, sizeof ret->text);

	if (n < 0 || json_parse(&ret->truth, ret->text, (size_t)n) < 0)
		return why_set(&ret->why, -EIO, "the load did not report what it used");
	return 0;
}

double trial_truth(const struct trial *t, const char *key)
{
	struct json_value value;

	return json_find(t->truth, key, &value) ? json_as_number(value) : NONE;
}
