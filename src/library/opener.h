/* opener.h - detects a forked child: one load from a page that fork wipes, where getpid() would be a system call. */
#ifndef RT_OPENER_H
#define RT_OPENER_H

#include <sys/types.h>

#include "../core/base.h"

struct opener {
	pid_t pid;
	const volatile uint32_t *page;          /* 0 in a child; NULL: not available, before Linux 4.14 */
};

void opener_open(struct opener *ret);           /* records this process; without a page by its pid */
void opener_close(struct opener *o);            /* safe on a zeroed one */

static inline bool opener_is_us(const struct opener *o)
{
	return o->page ? *o->page != 0 : o->pid == getpid();
}

#endif
