/*
 * notifier.h - a program that begins or ends a region calls the recorder: a number in shared memory becomes a descriptor
 * that is readable.
 *
 * The program needs no descriptor, and nothing that it writes does harm: a thread of ours waits for the number to
 * change (a futex), says so once, and waits for us before it looks again.
 */
#ifndef RT_NOTIFIER_H
#define RT_NOTIFIER_H

#include <pthread.h>
#include <semaphore.h>

#include "../core/base.h"

struct notifier {
	int fd;                                 /* readable: it was rung; -1: there is none */
	uint32_t *number;                       /* in shared memory */
	uint32_t answered;                      /* rung is what differs from this */
	sem_t armed;
	bool closing;
	pthread_t thread;
};

/* number: stays mapped until notifier_close.  -EAGAIN where no thread can be had; nothing is to be undone then. */
int  notifier_open(struct notifier *b, uint32_t *number) must_use;
/* The next change from `answered` on rings.  Once after notifier_open, and after each ring. */
void notifier_arm(struct notifier *b, uint32_t answered);
bool notifier_rung(struct notifier *b);                 /* and forgets it; then it is not armed */
void notifier_close(struct notifier *b);                /* fd -1 is fine */

#endif
