/* adopted_child.c - a recorder around a child that was forked before it began. */
#include "adopted_child.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>

#include "../core/scan.h"
#include "../core/signal_mask.h"
#include "signals.h"

static const char WORD[] = "--adopted-child=";

bool adopted_child_read(struct adopted_child *ret, int *argc, char **argv)
{
	size_t n = sizeof WORD - 1;
	uint64_t pid, fd;
	siginfo_t info;

	if (*argc < 2 || strncmp(argv[1], WORD, n) != 0)
		return false;

	struct scan s = scan_of(argv[1] + n, strlen(argv[1] + n));

	if (!scan_u64(&s, &pid) || !scan_literal(&s, ",") || !scan_u64(&s, &fd) || s.at != s.end || pid == 0 || pid > INT_MAX ||
	    fd > INT_MAX || waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return false;
	*ret = (struct adopted_child){ (pid_t)pid, (int)fd };
	(void)fcntl(ret->go, F_SETFD, FD_CLOEXEC);
	memmove(argv + 1, argv + 2, (size_t)(*argc - 1) * sizeof *argv);
	--*argc;
	return true;
}

void adopted_child_prepare(struct child *ret, struct adopted_child *adopted)
{
	*ret = (struct child){ .pid = adopted->pid, .go = adopted->go, .failed = -1, .alone = true };
	adopted->go = -1;
}

int adopted_child_finish(struct adopted_child *adopted, int recorded)
{
	int status;
	pid_t waited;

	close_p(&adopted->go);
	(void)signal_mask_set(~UINT64_C(0));            /* they are the child's */
	while ((waited = waitpid(adopted->pid, &status, 0)) < 0 && errno == EINTR)
		;
	if (waited < 0)
		return recorded;
	if (WIFSIGNALED(status))
		signals_die_by(WTERMSIG(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
