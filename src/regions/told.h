/*
 * told.h - what memory programs had as they began or ended a region, told by themselves.  Pure.
 *
 * It is the tree's at that moment, to which what other processes had is to be added: who tells had no child.
 */
#ifndef RT_TOLD_H
#define RT_TOLD_H

#include <sys/types.h>

#include "../core/base.h"

enum { TOLD_MAX = 32 };

/* Resident some time from from_ns to until_ns. */
struct told { pid_t pid; int64_t from_ns, until_ns; double rss_bytes; };

/* In the order of their times; of too many the oldest are forgotten.  All zero: none. */
struct told_memory { struct told at[TOLD_MAX]; size_t n; };

/* One that is over before it begins is none. */
void told_add(struct told_memory *m, const struct told *told);
/* Takes out the first that was over by then; false: there is none. */
bool told_next(struct told_memory *m, int64_t by_ns, struct told *ret);

#endif
