/*
 * tree_state.h - a tree, as the files of this room see it: what its rooms share, and the rooms.
 *
 *     members/      the table of members, their files        accounting/   CPU and I/O, levels, programs
 *     memory/       PSS, families, peaks                     visits/       a member's files into its figures
 *     membership/   who belongs to it                        cpu/          CPU time in all
 *     sockets/      connections
 *
 * A room stands on those before it and sees no struct of theirs but their members'.
 */
#ifndef RT_TREE_STATE_H
#define RT_TREE_STATE_H

#include "../cpu/cpu_source.h"
#include "../membership/membership.h"
#include "tree.h"

/* The last look at all members: when, and what the tree had used and started by then.  known: used_ns is. */
struct sweep {
	int64_t  at_ns;
	uint64_t used_ns, tasks, ended;
	bool     known;
	bool     skipped;                       /* there was none in this pass, for ... */
	uint64_t used_by_now_ns;                /* ... this is hardly more than used_ns */
};

struct tree {
	struct tracked tracked;
	struct accounts *accounts;
	struct memory *memory;
	struct visits visits;
	struct membership *membership;
	struct cpu_source *cpu;
	struct sockets *sockets;                /* NULL: they are not of this machine */
	struct sweep sweep;
	unsigned slowdown;                      /* of this pass, by the governor */
	bool     looked_outside;
};

/* sweep.c: at a sample, when the records of perf were taken.  true: no member did anything worth a look. */
bool tree_may_skip(struct tree *t);

#endif
