/* thread.c - threads with a small stack and all signals blocked. */
#include "thread.h"

#include "signal_mask.h"

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
