/* rt_exit.h - the exit of a process, converted for callers. */
#ifndef RT_RT_EXIT_H
#define RT_RT_EXIT_H

#include "../../include/resource_tracker.h"
#include "../core/base.h"
#include "../core/tree_exit.h"

/* The offsets are added to its two instants to get Unix time.  -EINVAL: ret->size. */
int exit_give(struct rt_exit *ret, const struct tree_exit *e, double start_offset, double end_offset) must_use;

#endif
