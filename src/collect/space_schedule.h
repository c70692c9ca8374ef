/*
 * space_schedule.h - the filesystems of which the worker reads the space, one after the other.
 *
 * A copy of everything needed: it outlives its owner if a server never answers.
 */
#ifndef RT_COLLECT_SPACE_SCHEDULE_H
#define RT_COLLECT_SPACE_SCHEDULE_H

#include <stdatomic.h>

#include "space.h"

struct space_query {
	char *point;
	unsigned major, minor;
	int result;                             /* 0 or -errno; 1: not read yet */
	struct space space;
};

/* Belongs to the worker while it is busy: meanwhile only `current` changes, and the owner can read only at[].point. */
struct space_schedule {
	space_ask_function *ask;
	bool live;
	int root;                               /* a descriptor of its own */
	_Atomic size_t current;
	size_t n, size;
	struct space_query at[];
};

/* NULL: out of memory.  root is duplicated, of m the path is copied.  -ENOMEM, beyond `size` too. */
struct space_schedule *space_schedule_open(space_ask_function *ask, bool live, int root, size_t size);
int    space_schedule_add(struct space_schedule *a, const struct mount *m) must_use;
void   space_schedule_run(void *space_schedule);              /* the worker's job */
size_t space_schedule_current(const struct space_schedule *a);
void   space_schedule_free(struct space_schedule *a);         /* NULL is fine */

#endif
