/*
 * tree_state.h - a tree, internal to this room: the state that its rooms share, and the rooms.
 *
 *     members/      the table of members, their files        accounting/   CPU and I/O, levels, programs
 *     memory/       PSS, fork groups, peaks                  visits/       a member's files into its figures
 *     membership/   which processes are members              cpu/          CPU time in all
 *     sockets/      connections
 *
 * A room depends only on those before it.  It uses the structs of members/, and no internals of the others.
 */
#ifndef RT_TREE_STATE_H
#define RT_TREE_STATE_H

#include "../cpu/cpu_source.h"
#include "../membership/membership.h"
#include "tree.h"

/* The last pass that read all members: when, and CPU time, tasks and exits of the tree by then.  known: used_ns is. */
struct sweep {
	int64_t  at_ns;
	uint64_t used_ns, tasks, ended;
	bool     known;
	bool     skipped;                       /* this pass reads no members, because ... */
	uint64_t used_by_now_ns;                /* ... this is hardly more than used_ns */
};

struct tree {
	struct tracked tracked;
	struct accounts *accounts;
	struct memory *memory;
	struct visits visits;
	struct membership *membership;
	struct cpu_source *cpu;
	struct sockets *sockets;                /* NULL: the source is not this machine */
	struct sweep sweep;
	unsigned slowdown;                      /* of this pass, by the governor */
	bool     looked_outside;
};

/* sweep.c: at a sample, after perf's records were read.  true: no member did enough to be read. */
bool tree_may_skip(struct tree *t);

#endif
