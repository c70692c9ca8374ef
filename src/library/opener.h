/* opener.h - which process opened something: a load from memory that fork wipes, where getpid() is a call. */
#ifndef RT_OPENER_H
#define RT_OPENER_H

#include <sys/types.h>

#include "../core/base.h"

struct opener {
	pid_t pid;
	const volatile uint32_t *page;          /* 0 in a child; NULL: there is none, before Linux 4.14 */
};

void opener_open(struct opener *ret);           /* it is us */
void opener_close(struct opener *o);            /* a zero one is fine */

static inline bool opener_is_us(const struct opener *o)
{
	return o->page ? *o->page != 0 : o->pid == getpid();
}

#endif
