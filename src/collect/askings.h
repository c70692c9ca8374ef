/*
 * askings.h - the filesystems that the lane asks for their space, one after the other.
 *
 * A copy of all it needs: it outlives its owner if a server never answers.
 */
#ifndef RT_COLLECT_ASKINGS_H
#define RT_COLLECT_ASKINGS_H

#include <stdatomic.h>

#include "space.h"

struct asking {
	char *point;
	unsigned major, minor;
	int result;                             /* 0 or -errno; 1: not asked */
	struct space space;
};

/* Belongs to the lane while it is busy: only `current` changes then, and only at[].point may be read. */
struct askings {
	space_ask_function *ask;
	bool live;
	int root;                               /* a descriptor of its own */
	_Atomic size_t current;
	size_t n, size;
	struct asking at[];
};

struct askings *askings_open(space_ask_function *ask, bool live, int root, size_t size);
int    askings_add(struct askings *a, const struct mount *m) must_use;  /* at most `size` of them */
void   askings_run(void *askings);              /* the job */
size_t askings_current(const struct askings *a);
void   askings_free(struct askings *a);         /* NULL is fine */

#endif
