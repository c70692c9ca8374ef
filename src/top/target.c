/* target.c - the run that is shown. */
#include "target.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../analysis/answer.h"
#include "../core/companion.h"
#include "../core/output_file.h"
#include "../core/scan.h"
#include "../readers/record_source.h"
#include "../text/shown.h"

static const char OUTPUT[] = "resource-tracker-top.out";
static const char HINT[] = "to see one that is over: resource-tracker top last; to record and see one: resource-tracker top -- "
			   "COMMAND";

/* ---- a run that exists ---------------------------------------------------------------------------- */

int target_open(struct target *ret, char *name, const struct chosen_runs *chosen, const char *directory,
		struct why *why)
{
	char place[PATH_MAX], *names[] = { name, NULL };
	char *path;

	*ret = TARGET_NONE;
	if (name && strcmp(name, "-") == 0)
		return why_set(why, -EINVAL, "stdin is the keyboard, so it cannot be the record");

	int r = history_place(place, directory, name ? names : NULL, name ? 1 : 0, why);

	if (r < 0)
		return r;
	path = name ? run_path(name, place, why) : chosen_runs_running(chosen, place, HINT, why);
	r = path ? record_reader_follow(&ret->reader, path, why) : -ENOENT;
	free(path);
	return r;
}

int target_rank(struct target *ret, const char *path, bool runs, struct why *why)
{
	struct record_source source = { .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), .follow = true };

	*ret = TARGET_NONE;
	if (source.fd < 0)
		return why_set(why, -errno, "cannot open %s: %s", show_path(path).text, strerror(errno));
	source.goes_on = runs && !output_file_is_held(source.fd);
	return record_reader_take(&ret->reader, path, &source, why);
}

/* ---- a recorder of our own ------------------------------------------------------------------------- */

/* Beside us, as everything is built; or in bin, where we are in libexec. */
static bool recorder_path(char *ret, size_t size)
{
	return companion_path(ret, size, RT_BINDIR, "resource-tracker");
}

struct outputs { int in, out, err; };           /* -1: as ours */

static void become_recorder(const char *const *arguments, const struct outputs *o, bool own_session,
			    pid_t view)
{
	static const int signals[] = { SIGWINCH, SIGTSTP, SIGCONT };
	sigset_t none;

	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	for (size_t i = 0; i < countof(signals); i++)
		(void)signal(signals[i], SIG_DFL);
	if (own_session)
		(void)setsid();                         /* no hangup of the terminal reaches the job */
	else if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || getppid() != view)
		_exit(OWN_FAILURE);
	if ((o->in >= 0 && dup2(o->in, STDIN_FILENO) < 0) || (o->out >= 0 && dup2(o->out, STDOUT_FILENO) < 0) ||
	    (o->err >= 0 && dup2(o->err, STDERR_FILENO) < 0))
		_exit(OWN_FAILURE);
	(void)execv(arguments[0], (char *const *)(uintptr_t)arguments);
	_exit(OWN_FAILURE);
}

/* Waits for the header.  The reader owns a copy, so that ours can be waited for until the view is left. */
static int read_feed(struct target *t, struct why *why)
{
	struct record_source source = { .fd = fcntl(t->feed, F_DUPFD_CLOEXEC, 3), .follow = true };

	return record_reader_take(&t->reader, "the feed", &source, why);
}

/* Starts it with a feed, and waits for the header.  arguments: without the program and without the feed. */
static int start(struct target *t, const char *const *arguments, const struct outputs *o, struct why *why)
{
	char program[PATH_MAX], feed[32];
	int ends[2];
	size_t n = 0;

	if (!recorder_path(program, sizeof program))
		return why_set(why, -errno, "cannot start %s: %s", show_path(program).text, strerror(errno));
	if (pipe(ends) < 0)
		return why_set(why, -errno, "cannot make a pipe: %s", strerror(errno));
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)snprintf(feed, sizeof feed, "fd:%d", ends[1]);
	while (arguments[n])
		n++;

	const char **all = calloc(n + 4, sizeof *all);
	pid_t view = getpid();

	if (all) {
		all[0] = program;
		all[1] = "--feed";
		all[2] = feed;
		memcpy(all + 3, arguments, n * sizeof *all);
	}
	t->recorder = all ? fork() : -1;
	if (t->recorder == 0)
		become_recorder(all, o, t->has_job, view);
	free(all);
	close_p(&ends[1]);
	if (t->recorder < 0) {
		t->recorder = 0;
		close_p(&ends[0]);
		return why_set(why, -ENOMEM, "cannot start a process");
	}
	t->feed = ends[0];

	return read_feed(t, why);
}

int target_attach(struct target *ret, const char *pids, const char *interval, struct why *why)
{
	auto_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const char *words[] = { "--pid", pids, "--record", "none", "--quiet", interval ? "--interval" : NULL, interval, NULL };

	*ret = TARGET_NONE;
	ret->said = memfd_create("resource-tracker-top", MFD_CLOEXEC);
	return start(ret, words, &(struct outputs){ null, null, ret->said }, why);
}

static bool read_numbers(const char *text, uint64_t *ret, size_t n)
{
	struct scan s = scan_of(text, strlen(text));

	for (size_t i = 0; i < n; i++)
		if ((i > 0 && !scan_literal(&s, ",")) || !scan_u64(&s, &ret[i]) || ret[i] > INT_MAX)
			return false;
	return s.at == s.end;
}

int target_beside(struct target *ret, const char *numbers, const char *root, struct why *why)
{
	uint64_t number[3];

	*ret = TARGET_NONE;
	if (!read_numbers(numbers, number, countof(number)))
		return why_set(why, -EINVAL, "--recorder is for the recorder, when it shows itself");
	ret->recorder = (pid_t)number[0];
	ret->feed = (int)number[1];
	ret->left = (int)number[2];
	ret->root = root ? root : ret->root;
	ret->with_run = true;
	return read_feed(ret, why);
}

/* Another user can have made it in a folder that is shared: only a file of ours takes what the command says. */
static const char *trouble_with(int fd)
{
	struct stat status;

	if (fd < 0)
		return errno == ELOOP ? "it is a link" : errno == ENXIO ? "it is not a regular file" : strerror(errno);
	if (fstat(fd, &status) < 0)
		return strerror(errno);
	if (!S_ISREG(status.st_mode))
		return "it is not a regular file";
	return status.st_uid != geteuid() || status.st_nlink > 1 ? "it is not yours alone" : NULL;
}

/* The command's output that would go to the terminal of the view. */
static int open_output(struct target *t, struct why *why)
{
	t->said = open(OUTPUT, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);

	const char *trouble = trouble_with(t->said);

	if (trouble)
		return why_set(why, -EACCES, "cannot write %s, which takes what the command writes to the terminal: %s; redirect "
			       "its output, or go to another folder", OUTPUT, trouble);
	(void)snprintf(t->output, sizeof t->output, "%s", OUTPUT);
	t->said_from = lseek(t->said, 0, SEEK_END);
	return 0;
}

int target_run(struct target *ret, char **command, const char *interval, struct why *why)
{
	auto_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	size_t n = 0, at = 0;
	int r = 0;

	*ret = TARGET_NONE;
	ret->has_job = true;
	while (command[n])
		n++;

	const char **words = calloc(n + 4, sizeof *words);

	if (!words)
		return why_set(why, -ENOMEM, "out of memory");
	if (isatty(STDOUT_FILENO) || isatty(STDERR_FILENO))
		r = open_output(ret, why);
	if (interval) {
		words[at++] = "--interval";
		words[at++] = interval;
	}
	words[at++] = "--";
	memcpy(words + at, command, n * sizeof *words);
	if (r == 0)
		r = start(ret, words, &(struct outputs){
			.in = isatty(STDIN_FILENO) ? null : -1, .out = isatty(STDOUT_FILENO) ? ret->said : -1,
			.err = isatty(STDERR_FILENO) ? ret->said : -1,
		}, why);
	free(words);
	return r;
}

/* ---- the end ----------------------------------------------------------------------------------------- */

static void copy_what_it_said(const struct target *t)
{
	char text[4096];
	ssize_t n;

	for (off_t at = t->said_from; t->said >= 0 && (n = pread(t->said, text, sizeof text, at)) > 0; at += n)
		if (write(STDERR_FILENO, text, (size_t)n) < 0)
			return;
}

static int status_of(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return OWN_FAILURE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int target_close(struct target *t, bool over)
{
	bool failed = !t->reader || (over && !t->began);
	int status = 0;

	close_p(&t->left);
	if (t->recorder > 0 && !t->has_job && !failed)
		(void)kill(t->recorder, SIGTERM);
	if (t->recorder > 0 && (!t->has_job || over || failed))
		status = status_of(t->recorder);
	/* After its end: a feed that is not read any more would be a failure to report. */
	record_reader_close(t->reader);
	close_p(&t->feed);
	if (t->recorder > 0 && failed)
		copy_what_it_said(t);
	close_p(&t->said);
	return t->has_job || over || failed ? status : 0;
}
