/*
 * program.h - resource-tracker-gpu, the program that reads one driver's GPUs: a crash of the driver's library, its
 * threads, its children and its memory are not ours.
 *
 *     resource-tracker-gpu PROTOCOL DRIVER LIBRARY [SELECTED]
 *
 * It has the socket and the root of its source as descriptors, /dev/null for stdin, stdout and stderr, and no other;
 * a session of its own, so that no ^C means it; and ends when nobody is at the other end of its socket.
 */
#ifndef RT_GPU_PROGRAM_H
#define RT_GPU_PROGRAM_H

#include <limits.h>
#include <signal.h>

#include "serve.h"

enum { GPU_PROGRAM_SOCKET = 3, GPU_PROGRAM_ROOT, GPU_PROGRAM_DESCRIPTORS };

enum { GPU_PROGRAM_MISMATCH = 3 };              /* its exit status where it is not of our build */

struct gpu_program {
	char path[PATH_MAX];
	_Atomic pid_t pid;                      /* 0: it was not started */
	int error;                              /* errno, where it could not be */
	siginfo_t end;                          /* how it ended */
};

/* Sets its path.  -errno with a sentence where it cannot be run. */
int  gpu_program_find(struct gpu_program *p, struct why *why) must_use;
/*
 * Starts it, and waits for its end.  To be called in a thread that does nothing else: what another thread than the
 * first started is not taken for the command's, nor waited for with it.  It is not reaped, so `pid` stays its own.
 */
void gpu_program_run(struct gpu_program *p, const struct gpu_service *service);
/* What became of it, for people: "the reader program ended (signal 11)". */
void gpu_program_tell(char *ret, size_t size, const struct gpu_program *p);

#endif
