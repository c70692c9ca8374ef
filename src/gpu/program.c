/* program.c - starts the reader program and waits for its exit. */
#include "program.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "../core/companion.h"
#include "protocol.h"

extern char **environ;

int gpu_program_find(struct gpu_program *p, struct why *why)
{
	if (companion_path(p->path, sizeof p->path, RT_LIBEXEC, "resource-tracker-gpu"))
		return 0;
	return why_set(why, -errno, "GPUs are not read: their reader, resource-tracker-gpu, is not beside this program (%s)",
		       strerror(errno));
}

static int set_files(posix_spawn_file_actions_t *files, const struct gpu_service *s)
{
	int e = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDWR, 0);

	if (e == 0)
		e = posix_spawn_file_actions_adddup2(files, STDIN_FILENO, STDOUT_FILENO);
	if (e == 0)
		e = posix_spawn_file_actions_adddup2(files, STDIN_FILENO, STDERR_FILENO);
	if (e == 0)
		e = posix_spawn_file_actions_adddup2(files, s->socket, GPU_PROGRAM_SOCKET);
	if (e == 0)
		e = posix_spawn_file_actions_adddup2(files, s->source.root, GPU_PROGRAM_ROOT);
	return e;
}

/* The program unblocks signals itself, in its own session, where the terminal's signals do not reach it. */
static int spawn(pid_t *ret, const struct gpu_program *p, const struct gpu_service *s)
{
	char protocol[GPU_PROTOCOL_SIZE];
	const char *const words[] = {
		"resource-tracker-gpu", protocol, s->driver->name, s->source.nvml ? s->source.nvml : "", s->selected, NULL,
	};
	char *arguments[countof(words)];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t all;
	int e;

	gpu_protocol(protocol);
	memcpy(arguments, words, sizeof words);
	if (posix_spawn_file_actions_init(&files) != 0)
		return ENOMEM;
	if (posix_spawnattr_init(&attributes) != 0) {
		(void)posix_spawn_file_actions_destroy(&files);
		return ENOMEM;
	}
	(void)sigfillset(&all);
	(void)posix_spawnattr_setsigdefault(&attributes, &all);
	(void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	e = set_files(&files, s);
	if (e == 0)
		e = posix_spawn(ret, p->path, &files, &attributes, arguments, environ);
	(void)posix_spawnattr_destroy(&attributes);
	(void)posix_spawn_file_actions_destroy(&files);
	return e;
}

void gpu_program_run(struct gpu_program *p, const struct gpu_service *service)
{
	pid_t pid;

	p->error = spawn(&pid, p, service);
	if (p->error != 0)
		return;
	p->pid = pid;
	while (waitid(P_PID, (id_t)pid, &p->end, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	/* Processes that its library started: the recorder would inherit them and count them as the command's. */
	(void)kill(-pid, SIGKILL);
}

void gpu_program_text(char *ret, size_t size, const struct gpu_program *p)
{
	if (p->error != 0)
		(void)snprintf(ret, size, "resource-tracker-gpu cannot be started: %s", strerror(p->error));
	else if (p->end.si_code != CLD_EXITED)
		(void)snprintf(ret, size, "their reader program ended (signal %d)", p->end.si_status);
	else if (p->end.si_status == GPU_PROGRAM_MISMATCH)
		(void)snprintf(ret, size, "%s is of another version than this program", p->path);
	else
		(void)snprintf(ret, size, "their reader program ended (exit status %d)", p->end.si_status);
}
