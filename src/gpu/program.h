/*
 * program.h - resource-tracker-gpu, the program that reads one driver's GPUs: it isolates the recorder from crashes,
 * threads, children and memory of the driver's library.
 *
 *     resource-tracker-gpu PROTOCOL DRIVER LIBRARY [SELECTED]
 *
 * It inherits the socket and the root of its source as descriptors, /dev/null for stdin, stdout and stderr, and no
 * other; it is in a session of its own, so that ^C does not reach it; and it exits when the other end of its socket
 * is closed.
 */
#ifndef RT_GPU_PROGRAM_H
#define RT_GPU_PROGRAM_H

#include <limits.h>
#include <signal.h>

#include "serve.h"

enum { GPU_PROGRAM_SOCKET = 3, GPU_PROGRAM_ROOT, GPU_PROGRAM_DESCRIPTORS };

enum { GPU_PROGRAM_MISMATCH = 3 };              /* exit status if it is not of the same build */

struct gpu_program {
	char path[PATH_MAX];
	_Atomic pid_t pid;                      /* 0: not started; zeroed, as the rest, before gpu_program_run */
	int error;                              /* errno, if it could not be started */
	siginfo_t end;                          /* how it ended, as of waitid(2) */
};

/* Sets its path.  -errno with a sentence in `why` if it cannot be run. */
int  gpu_program_find(struct gpu_program *p, struct why *why) must_use;
/*
 * Starts it, and waits until it exits.  Call it in a thread that does nothing else: children of a thread other than
 * the first are not counted as the command's, nor waited for with it.  It is not reaped, so `pid` is not reused.
 */
void gpu_program_run(struct gpu_program *p, const struct gpu_service *service);
/* How it ended, for people: "the reader program ended (signal 11)". */
void gpu_program_text(char *ret, size_t size, const struct gpu_program *p);

#endif
