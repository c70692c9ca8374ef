/* notifier.c - makes a descriptor readable when a number in shared memory changes. */
#include "notifier.h"

#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>

#include "../core/thread.h"

enum { STACK_BYTES = 64 * 1024, TRIES = 100, TRY_NS = 10000000 };

static void wait_for_change(struct notifier *b)
{
	while (!__atomic_load_n(&b->closing, __ATOMIC_ACQUIRE) &&
	       __atomic_load_n(b->number, __ATOMIC_ACQUIRE) == b->answered)
		if (syscall(SYS_futex, b->number, FUTEX_WAIT, b->answered, NULL, NULL, 0) < 0 && errno != EAGAIN &&
		    errno != EINTR)
			return;                         /* no futex here: each arm reports a change */
}

static void *notifier_thread(void *argument)
{
	struct notifier *b = argument;

	for (;;) {
		while (sem_wait(&b->armed) < 0)
			;
		if (!__atomic_load_n(&b->closing, __ATOMIC_ACQUIRE))
			wait_for_change(b);
		if (__atomic_load_n(&b->closing, __ATOMIC_ACQUIRE))
			return NULL;
		(void)eventfd_write(b->fd, 1);
	}
}

int notifier_open(struct notifier *b, uint32_t *number)
{
	*b = (struct notifier){ .fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .number = number };
	if (b->fd < 0)
		return -errno;
	(void)sem_init(&b->armed, 0, 0);

	int r = thread_start(&b->thread, STACK_BYTES, notifier_thread, b);

	if (r < 0) {
		(void)sem_destroy(&b->armed);
		close_p(&b->fd);
	}
	return r;
}

void notifier_arm(struct notifier *b, uint32_t answered)
{
	b->answered = answered;                 /* the thread waits for the semaphore */
	(void)sem_post(&b->armed);
}

bool notifier_fired(struct notifier *b)
{
	eventfd_t n;

	return b->fd >= 0 && eventfd_read(b->fd, &n) == 0;
}

/* Changes the number repeatedly: a program that writes it as well can hide one change from the thread. */
void notifier_close(struct notifier *b)
{
	if (b->fd < 0)
		return;
	__atomic_store_n(&b->closing, true, __ATOMIC_RELEASE);
	(void)sem_post(&b->armed);
	for (int i = 0; i < TRIES; i++) {
		struct timespec until;

		(void)__atomic_fetch_add(b->number, 1, __ATOMIC_ACQ_REL);
		(void)syscall(SYS_futex, b->number, FUTEX_WAKE, 1, NULL, NULL, 0);
		(void)clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += TRY_NS;
		until.tv_sec += until.tv_nsec / NS_PER_SECOND;
		until.tv_nsec %= NS_PER_SECOND;
		if (pthread_timedjoin_np(b->thread, NULL, &until) == 0)
			break;
	}
	(void)sem_destroy(&b->armed);
	close_p(&b->fd);
}
