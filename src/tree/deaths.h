/*
 * deaths.h - what processes of the tree had when they ended, where we may hear it (kernel/exits_link.h): the only
 * peak memory that there is of those that ended between two samples and that nobody waits for, and the only one
 * with a name of those that somebody did.
 *
 * All of the machine is told, so what is heard waits here until the kernel's other voice (births.c) says whose it
 * was: the end of a process is told there a moment after it was told here.  Where that voice is silent (there is none,
 * or it lost sight of a set-user-ID program, and so of all that this one starts), it is the tree's if its parent is, or
 * was heard to end and descends from it.
 *
 * It costs whoever ends 3 us, a bare fork with its exit 2 %, so it is a matter of a budget: when more tasks end we stop
 * listening, and begin again when it is filled.
 */
#ifndef RT_DEATHS_H
#define RT_DEATHS_H

#include "../kernel/exits_link.h"

enum {
	DEATHS = 8192, DEATH_BUCKETS = 1024,
	DEATHS_PER_SECOND = 500, DEATHS_BURST = 1000,
};

struct death {
	pid_t    process, parent;
	bool     first;                         /* told of its first thread, whose name is the process's */
	bool     ours;                          /* is known to be of the tree, and was taken */
	bool     matched;                       /* it is known whose birth it was: nothing more can be learnt */
	uint32_t chain;                         /* next of the same bucket; 0: none */
	int64_t  heard_ns;
	int64_t  peak_bytes;
	char     name[EXIT_NAME_SIZE];
};

/* Index 0 of `at` is nobody.  In the order in which they were heard; `old` of them before this drain. */
struct deaths {
	struct exits_link *link;
	int64_t  filled_ns, allowed;            /* tasks that may be heard of; negative: too many were */
	bool     lost;                          /* some were not, for want of room */
	uint32_t n, old;
	uint32_t bucket[DEATH_BUCKETS];
	struct death at[DEATHS];
};

#endif
