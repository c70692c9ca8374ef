/* feed_program.c - a program that reads a feed beside the run. */
#include "feed_program.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "../options/options.h"

static const char BLANKS[] = " \t\n";

int feed_program_open(struct feed_program *p, const char *line, const struct inherited_signals *signals)
{
	struct feed_program made = { .line = line, .copy = strdup(line), .signals = *signals };
	size_t n = 0;

	if (!made.copy)
		return -ENOMEM;
	for (char *at = made.copy + strspn(made.copy, BLANKS); *at; at += strspn(at, BLANKS)) {
		if (n == FEED_WORDS_MAX) {
			free(made.copy);
			return -E2BIG;
		}
		made.words[n++] = at;
		at += strcspn(at, BLANKS);
		if (*at)
			*at++ = '\0';
	}
	memcpy(p, &made, sizeof made);
	return 0;
}

/* Closes the descriptors that the tracker's caller left open for the command. */
static void close_others(void)
{
	struct rlimit limit = { 0 };

	if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0) == 0 || getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	for (int fd = STDERR_FILENO + 1; fd < (int)size_min(limit.rlim_cur, 65536); fd++)
		(void)close(fd);
}

static _Noreturn void become_program(const struct feed_program *p, int feed)
{
	/* Regions of this program are not regions of the command. */
	static const char *const not_its[] = { "RESOURCE_TRACKER_REGIONS", "RESOURCE_TRACKER_REGIONS_SHM", NULL };
	const char *private[16];
	size_t n = 0;

	for (const char *const *name = options_private_variables; *name && n + 3 < countof(private); name++)
		private[n++] = *name;
	memcpy(&private[n], not_its, sizeof not_its);
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	feed = fcntl(feed, F_DUPFD, STDERR_FILENO + 1); /* away from the numbers that are replaced below */
	/* It is closed, or close-on-exec: a caller reads our output to its end (detach.c). */
	if (fcntl(STDERR_FILENO, F_GETFD) != 0)
		(void)dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
	if (dup2(feed, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(126);
	close_others();
	_exit(child_exec_status(-child_become(p->words, &p->signals, private)));
}

int feed_program_start(void *context, struct why *why)
{
	struct feed_program *p = context;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return why_set(why, -errno, "cannot start %s: no pipe: %s", p->words[0], strerror(errno));

	pid_t pid = fork();

	if (pid == 0)
		become_program(p, ends[0]);

	int error = -errno;

	close_p(&ends[0]);
	if (pid < 0) {
		close_p(&ends[1]);
		return why_set(why, error, "cannot start %s: %s", p->words[0], strerror(-error));
	}
	(void)setpgid(pid, pid);                        /* also done in the child; either can come first */
	atomic_store(&p->pid, pid);
	return ends[1];
}

bool feed_program_ended(struct feed_program *p, struct why *ret)
{
	pid_t pid = atomic_load(&p->pid);
	siginfo_t info = { 0 };

	ret->text[0] = '\0';
	if (pid == 0 || waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid == 0)
		return pid == 0;
	(void)kill(-pid, SIGKILL);                      /* before it is reaped: its pid cannot be reused yet */
	(void)waitid(P_PID, (id_t)pid, &info, WEXITED);
	atomic_store(&p->pid, 0);
	if (info.si_code != CLD_EXITED)
		(void)why_set(ret, 0, "was ended by signal %d", info.si_status);
	else if (info.si_status == 127)
		(void)why_set(ret, 0, "ended with exit status 127: not found");
	else if (info.si_status != 0)
		(void)why_set(ret, 0, "ended with exit status %d", info.si_status);
	return true;
}

void feed_program_wait(struct feed_program *p, struct why *ret)
{
	siginfo_t info;

	while (waitid(P_PID, (id_t)atomic_load(&p->pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	(void)feed_program_ended(p, ret);
}

void feed_program_ask_to_end(struct feed_program *p)
{
	pid_t pid = atomic_load(&p->pid);

	if (pid > 0)
		(void)kill(-pid, SIGTERM);
}

void feed_program_stop(struct feed_program *p, double seconds)
{
	static const struct timespec little = { .tv_nsec = 1000000 };
	pid_t pid = atomic_load(&p->pid);
	siginfo_t info = { 0 };

	if (pid == 0 || kill(-pid, SIGTSTP) < 0)
		return;
	for (int i = 0; i < (int)(seconds * 1000) && info.si_pid == 0; i++) {
		(void)nanosleep(&little, NULL);
		if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WEXITED | WNOHANG | WNOWAIT) < 0)
			return;
	}
}

void feed_program_continue(struct feed_program *p)
{
	pid_t pid = atomic_load(&p->pid);

	if (pid > 0)
		(void)kill(-pid, SIGCONT);
}

void feed_program_close(struct feed_program *p)
{
	free(p->copy);
	p->copy = NULL;
}
