/* thread.c - threads with a small stack and all signals blocked. */
#include "thread.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "signal_mask.h"
#include "source.h"

enum { STACK_BEYOND_MINIMUM = 48 * 1024 };

/* Thread-local storage and the C library use the stack too (AVX-512, sanitizers). */
static size_t stack_of(size_t bytes)
{
	long minimum = sysconf(_SC_THREAD_STACK_MIN);

	return size_max(bytes, minimum > 0 ? (size_t)minimum + STACK_BEYOND_MINIMUM : 0);
}

int thread_start(pthread_t *ret, size_t stack_bytes, void *(*run)(void *), void *context)
{
	pthread_attr_t attributes;
	int e = pthread_attr_init(&attributes);

	if (e != 0)
		return -e;
	(void)pthread_attr_setstacksize(&attributes, stack_of(stack_bytes));

	/* A new thread inherits the mask. */
	uint64_t before = signal_mask_block(SIGNALS_OF_PROGRAMS);

	e = pthread_create(ret, &attributes, run, context);
	(void)signal_mask_set(before);
	(void)pthread_attr_destroy(&attributes);
	return -e;
}

pid_t thread_id(void)
{
	return (pid_t)syscall(SYS_gettid);
}

bool thread_is_runnable(pid_t thread)
{
	char path[64], stat[256];

	(void)snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
	if (source_read_line(stat, sizeof stat, AT_FDCWD, path) < 0)
		return false;

	const char *name_end = strrchr(stat, ')');

	return name_end && strncmp(name_end, ") R", 3) == 0;
}
