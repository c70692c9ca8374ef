/*
 * common_branches.h - the trees of programs (core/program_tree.h) of several runs, on branches that all have in common.
 *
 * Branches are the same if the names from the first program on are.  What any of the runs may have among its others is
 * among the others of all.  So a branch that is known to be absent used nothing, and in each run a branch and those
 * below it add up.
 */
#ifndef RT_COMMON_BRANCHES_H
#define RT_COMMON_BRANCHES_H

#include "../core/buffer.h"
#include "../core/program_tree.h"

enum branch_kind {
	KIND_PROGRAM,
	KIND_OTHERS,                            /* several that are merged */
	KIND_NO_PARENT,                         /* above the programs with an unknown parent; uses nothing itself */
	KIND_COUNT
};

struct branch_use {
	bool   seen;                            /* the run has the branch */
	double processes;                       /* NONE: not counted */
	double cpu_seconds;                     /* of the branch alone, and with all below it; 0 if not seen */
	double with_below;
	double largest_bytes;                   /* NONE: unknown */
};

struct common_branch {
	int    parent;                          /* before this one; -1: none */
	size_t level;                           /* 0: none is above it */
	enum branch_kind kind;
	char   name[16];                        /* of a program; "": it has no name */
	struct branch_use *in;                  /* by run */
};

struct common_branches {
	struct common_branch *at;               /* each is followed by those below it, the largest first */
	size_t n, runs;
	bool  *counts;                          /* by run: it saw each process: what it does not have was not there */
	size_t folded;                          /* that some run has by itself, and all have among others now */
};

/* Can be called with n 0.  -ENOMEM.  The trees are not kept. */
int  common_branches_read(struct common_branches *ret, const struct program_tree *const *trees, size_t n) must_use;
void common_branches_release(struct common_branches *c);

/* "(no name)", "others" or a quoted word; and its path, from the first program on: "make/sh/cc". */
void common_branch_name(struct buffer *out, const struct common_branch *b);
void common_branch_path(struct buffer *out, const struct common_branches *c, size_t i);

#endif
