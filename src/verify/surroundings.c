/* surroundings.c - the conditions for trials: a busy machine, the restrictions of a container, free memory. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../sampler/sampler.h"
#include "verify.h"

double memory_room(void)
{
	struct sampler_options options = { .interval_seconds = 1, .only = "memory,cgroup" };
	struct sample *s = malloc(sizeof *s);
	struct sampler *sampler;
	double room = NONE;

	if (s && sampler_open(&sampler, &options, NULL) == 0) {
		const struct totals *t = &s->total;

		if (sampler_read(sampler, s) == 0)
			room = least_known(t->memory_available_bytes,
					 t->cgroup_memory_limit_bytes - t->cgroup_memory_current_bytes);
		sampler_close(sampler);
	}
	free(s);
	return room;
}

static _Noreturn void burn(pid_t parent)
{
	/* If verify ends for any reason, nothing is left running. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	for (volatile unsigned long i = 0;; i++)
		;
}

int busy_begin(struct busy *b, size_t n, struct why *why)
{
	pid_t self = getpid();

	for (b->n = 0; b->n < n; b->n++) {
		pid_t pid = fork();

		if (pid == 0)
			burn(self);
		if (pid < 0) {
			int error = errno;

			busy_end(b);
			return why_set(why, -error, "--busy: fork: %s", strerror(error));
		}
		b->pid[b->n] = pid;
	}
	return 0;
}

void busy_end(struct busy *b)
{
	for (size_t i = 0; i < b->n; i++)
		(void)kill(b->pid[i], SIGKILL);
	for (size_t i = 0; i < b->n; i++)
		(void)waitpid(b->pid[i], NULL, 0);
	b->n = 0;
}

/* A filter of system calls as container runtimes install it: seccomp(2). */
int refuse_perf(void)
{
	struct sock_filter words[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = countof(words), .filter = words };

	/* Without privilege a filter requires no_new_privs. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return -errno;
	return 0;
}
