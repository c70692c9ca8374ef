/*
 * leaf.h - a control group for the tree, in which the kernel counts its CPU time exactly.
 *
 * It is a child of the group that we run in, so all limits of that group hold.  No controller is enabled in it: version
 * 2 counts CPU time in every group (cgroup-v2.rst, "cpu.stat").  The command is started in it (CLONE_INTO_CGROUP),
 * because moving a process can take the kernel milliseconds.
 *
 * If version 2 is not mounted or cannot be written to, the leaf is made in version 1's cpuacct
 * (cgroup-v1/cpuacct.rst).  There no process can be started in another group, but a thread that moves only itself is
 * moved in 30 us.
 *
 * If no leaf can be made, the group that we run in still counts everything in it: an upper bound.
 */
#ifndef RT_LEAF_H
#define RT_LEAF_H

#include "../core/source.h"

struct leaf {
	int  parent, directory, usage;          /* descriptors: the group above, the leaf, its cpu.stat */
	bool is_v1;                             /* version 1: `usage` is cpuacct.usage, and there are */
	int  split, tasks;                      /* its cpuacct.stat; its tasks, for the command's thread */
	long ticks_per_second;                  /* of its cpuacct.stat */
	int  above;                             /* cpu.stat of the group above, or version 1's cpuacct.usage */
	bool above_is_v1;
	char name[80];                          /* resource-tracker-PIDNAMESPACE-PID-MADE: identifies its owner */
};

struct leaf_usage { uint64_t total_ns, user_ns, system_ns; };

enum leaf_wish { LEAF_UNWANTED, LEAF_WANTED, LEAF_ASKED };

/*
 * Makes the group, if we can write to the hierarchy.  -errno with a sentence.  *ret must be closed after an error too:
 * then it has `above`, if that is available.  Unless asked for, also -EPERM: it must not be made (leaf_place.h).
 */
int  leaf_open(struct leaf *ret, const struct source *src, enum leaf_wish wish, struct why *why) must_use;
/* -ENODEV: it was removed.  In version 1, user and system time are whole ticks. */
int  leaf_read(const struct leaf *l, struct leaf_usage *ret) must_use;
/* CPU time of everything in the group above, this process too.  -ENODATA: not available. */
int  leaf_read_above(const struct leaf *l, uint64_t *ret_ns) must_use;
/* Removes the leaves of dead recorders beside this one. */
void leaf_sweep(const struct leaf *l, const struct source *src);
/* No process was started in it: removes it, and opens the group above instead. */
void leaf_give_up(struct leaf *l, const struct source *src);
/* Removes it.  -EBUSY: processes live in it; the next recorder removes it when they have exited. */
int  leaf_close(struct leaf *l, const struct source *src);

/* Pure: the owner of a leaf of this PID namespace, and when it was made, in ticks since boot; false: not a leaf. */
bool leaf_owner(const char *name, uint64_t pid_namespace, pid_t *ret_pid, uint64_t *ret_made);

#endif
