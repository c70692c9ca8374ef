/*
 * leaf.h - a control group of the tree's own, in which the kernel counts its CPU time exactly.
 *
 * It is a child of the group that we live in, so all limits of that hold on, and no controller is enabled
 * in it: version 2 counts CPU time in every group (cgroup-v2.rst, "cpu.stat").  The command is born in it
 * (CLONE_INTO_CGROUP), because moving a process can take the kernel milliseconds.
 *
 * Where version 2 is not mounted or cannot be written to, it is made in version 1's cpuacct (cgroup-v1/cpuacct.rst).
 * Nobody can be born there in another's group, but a thread that moves itself and nobody else is moved in 30 us.
 *
 * Where none can be made, the group that we live in still knows what all in it used: an upper bound.
 */
#ifndef RT_LEAF_H
#define RT_LEAF_H

#include "../core/source.h"

struct leaf {
	int  parent, directory, usage;          /* descriptors: the group above, the leaf, its cpu.stat */
	bool is_v1;                             /* `usage` is cpuacct.usage, and there are */
	int  split, tasks;                      /* its cpuacct.stat; where the command's thread writes itself */
	long ticks_per_second;                  /* of its cpuacct.stat */
	int  above;                             /* cpu.stat of the group above, or version 1's cpuacct.usage */
	bool above_is_v1;
	char name[80];                          /* resource-tracker-PIDNAMESPACE-PID-MADE: whether its owner lives */
};

struct leaf_usage { uint64_t total_ns, user_ns, system_ns; };

enum leaf_wish { LEAF_UNWANTED, LEAF_WANTED, LEAF_ASKED };

/*
 * Makes the group, where the hierarchy is ours to write.  -errno with a sentence; *ret is to be closed all the same:
 * then it has `above`, if that can be had.  Unless asked for, also
 *   -EPERM  it may not be made (leaf_place.h).
 */
int  leaf_open(struct leaf *ret, const struct source *src, enum leaf_wish wish, struct why *why) must_use;
/* -ENODEV: somebody removed it.  Of version 1, user and system time are whole ticks. */
int  leaf_read(const struct leaf *l, struct leaf_usage *ret) must_use;
/* What all in the group above used, this process too.  -ENODATA: it is not to be had. */
int  leaf_read_above(const struct leaf *l, uint64_t *ret_ns) must_use;
/* Removes beside the leaf what recorders have left that died. */
void leaf_sweep(const struct leaf *l, const struct source *src);
/* Nobody was born in it: it is removed, and the group above looked for instead. */
void leaf_give_up(struct leaf *l, const struct source *src);
/* Removes it.  -EBUSY: processes live in it; the next recorder removes it when they have ended. */
int  leaf_close(struct leaf *l, const struct source *src);

/* Pure: the owner of a leaf of this PID namespace, and when it was made, in ticks since boot; false: it is none. */
bool leaf_owner(const char *name, uint64_t pid_namespace, pid_t *ret_pid, uint64_t *ret_made);

#endif
