/* gpu_main.c - resource-tracker-gpu: a process of its own around a driver's library (program.h). */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "../core/signal_mask.h"
#include "program.h"
#include "protocol.h"

/*
 * Closes the descriptors that the recorder inherited: neither this process nor a driver's helper must keep them open.
 */
static void keep_own_descriptors(void)
{
	struct rlimit limit = { 0 };

	for (int fd = GPU_PROGRAM_SOCKET; fd < GPU_PROGRAM_DESCRIPTORS; fd++)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	if (syscall(SYS_close_range, GPU_PROGRAM_DESCRIPTORS, ~0U, 0) == 0 || getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	for (int fd = GPU_PROGRAM_DESCRIPTORS; fd < (int)size_min(limit.rlim_cur, 65536); fd++)
		(void)close(fd);
}

/* false: the recorder has already ended. */
static bool stand_apart(void)
{
	const struct rlimit none = { 0, 0 };
	char byte;

	(void)setsid();
	(void)signal_mask_set(0);
	(void)setrlimit(RLIMIT_CORE, &none);
	/*
	 * Orphans of a library's helper become children of this process; the recorder would count them as the
	 * command's.
	 */
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	/* In a hanging driver this process could not notice that the recorder ended. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	keep_own_descriptors();
	return recv(GPU_PROGRAM_SOCKET, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
}

int main(int argc, char **argv)
{
	char protocol[GPU_PROTOCOL_SIZE];
	struct gpu_service service = { .socket = GPU_PROGRAM_SOCKET, .is_process = true };

	gpu_protocol(protocol);
	if (argc > 3 && strcmp(argv[1], protocol) == 0)
		service.driver = gpu_driver_named(argv[2]);
	if (!service.driver) {
		(void)fputs("resource-tracker-gpu: started by resource-tracker of the same version, to read GPUs\n", stderr);
		return GPU_PROGRAM_MISMATCH;
	}
	if (!stand_apart() || source_open_at(&service.source, GPU_PROGRAM_ROOT) < 0)
		return 1;
	service.source.nvml = argv[3][0] ? argv[3] : NULL;
	service.selected = argv[4];
	gpu_serve(&service);
	/* Skips the library's exit handlers. */
	_exit(0);
}
