/* rt_exit.h - the end of a process as callers get it. */
#ifndef RT_RT_EXIT_H
#define RT_RT_EXIT_H

#include "../../include/resource_tracker.h"
#include "../core/base.h"
#include "../core/tree_exit.h"

/* The offsets are what its two instants lack of Unix time.  -EINVAL: ret->size. */
int exit_give(struct rt_exit *ret, const struct tree_exit *e, double start_offset, double end_offset) must_use;

#endif
