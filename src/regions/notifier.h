/*
 * notifier.h - makes a descriptor readable when a number in shared memory changes: so a program calls the recorder
 * as a region begins or ends.
 *
 * The program needs no descriptor, and no value that it writes does harm: a thread of the recorder waits on a futex for
 * the number to change, makes the descriptor readable once, and waits for notifier_arm before it waits again.
 */
#ifndef RT_NOTIFIER_H
#define RT_NOTIFIER_H

#include <pthread.h>
#include <semaphore.h>

#include "../core/base.h"

struct notifier {
	int fd;                                 /* readable after a change; -1: not open */
	uint32_t *number;                       /* in shared memory */
	uint32_t answered;                      /* a number that differs from this is a change */
	sem_t armed;
	bool closing;
	pthread_t thread;
};

/*
 * b must not move, and number must stay mapped, until notifier_close.  -EAGAIN: no thread; -errno of eventfd(2).  After
 * an error fd is -1.
 */
int  notifier_open(struct notifier *b, uint32_t *number) must_use;
/* Waits for the number to differ from `answered`.  Call it once after notifier_open, and after each change. */
void notifier_arm(struct notifier *b, uint32_t answered);
bool notifier_fired(struct notifier *b);                /* whether the number changed; clears that */
void notifier_close(struct notifier *b);                /* waits for the thread, 1 s at most; nothing if fd is -1 */

#endif
