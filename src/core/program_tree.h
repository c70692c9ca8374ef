/*
 * program_tree.h - which program started which, with its use: plain data between the tree, the record and its readers.
 *
 * A branch is a program below the branch of the process that started it.  Each branch comes after its parent.
 */
#ifndef RT_PROGRAM_TREE_H
#define RT_PROGRAM_TREE_H

#include "sample.h"

/* The columns of a branch in a record; `parent` -1: none, null: unknown. */
enum {
	BRANCH_PARENT, BRANCH_PROGRAM, BRANCH_PROCESSES, BRANCH_CPU_SECONDS, BRANCH_PEAK_RSS_BYTES, BRANCH_BRANCHES,
	BRANCH_COLUMNS,
};
extern const char *const branch_columns[BRANCH_COLUMNS];

/* Instead of the index of a parent: a process that was tracked from outside; a process with an unknown parent. */
enum { PARENT_NONE = -1, PARENT_UNKNOWN = -2 };

struct program_branch {
	int      parent;
	unsigned branches;                      /* 1; else the branches below `parent` that are merged in this one */
	char     name[16];                      /* ""; several are merged, or a program without a name */
	double   processes;                     /* that ran the program; NONE: not counted */
	double   cpu_seconds;                   /* of these processes alone; NONE: a record does not say it */
	double   largest_bytes;                 /* the most that any one of them had resident; NONE: unknown */
};

struct program_tree {
	struct program_branch at[BRANCH_MAX];
	size_t n;
	bool   full;                            /* some are below PARENT_UNKNOWN, because there were too many */
};

/*
 * Pure: the branches of `all` with a use of their own or below them; of more than BRANCH_MAX, those with the most CPU
 * time, and the others merged by the parent that is left.  The sums stay the same.  ret->full is not set.
 * -ENOMEM: ret->n is 0.
 */
int program_tree_choose(struct program_tree *ret, const struct program_branch *all, size_t n) must_use;

#endif
