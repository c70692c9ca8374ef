/*
 * attached_clocks.h - the CPU time of processes that run already, and of all that they start from now on.
 *
 * An event that is opened on a thread is inherited by what this thread starts, so each thread has one (perf_clock.h).
 * What began before, and belongs to no thread that has one, is not counted.
 */
#ifndef RT_TREE_ATTACHED_CLOCKS_H
#define RT_TREE_ATTACHED_CLOCKS_H

#include "perf_clock.h"

enum { ATTACHED_THREADS = 64 };                 /* each is read at each sample, 2 us, and costs two descriptors */

struct tree;

struct attached_clocks {
	struct perf_clock *clock;
	size_t n;
	uint64_t mapped_bytes;                  /* resident memory of these processes when they were opened */
};

/*
 * On all threads of all members.  -EACCES, -EPERM: some may not be looked at, and `n` tells whether others have one;
 * else there are none: -E2BIG too many threads, -EMFILE too few descriptors, -errno of perf_clock_open.
 */
int  attached_clocks_open(struct attached_clocks *ret, struct tree *t) must_use;
/* Their sum of CPU time and page faults; the others are 0. */
int  attached_clocks_read(const struct attached_clocks *a, uint64_t ret[PERF_COUNTS]) must_use;
void attached_clocks_close(struct attached_clocks *a);

#endif
