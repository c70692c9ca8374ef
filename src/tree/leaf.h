/*
 * leaf.h - a control group of the tree's own, in which the kernel counts its CPU time exactly.
 *
 * It is a child of the group that we live in, so all limits of that hold on, and no controller is enabled
 * in it: version 2 counts CPU time in every group (cgroup-v2.rst, "cpu.stat").  The command is born in it
 * (CLONE_INTO_CGROUP), because moving a process can take the kernel milliseconds.
 */
#ifndef RT_TREE_LEAF_H
#define RT_TREE_LEAF_H

#include "../core/source.h"

struct leaf {
	int  parent, directory, usage;          /* descriptors: the group above, the leaf, its cpu.stat */
	char name[80];                          /* resource-tracker-PIDNAMESPACE-PID-START: whether its owner lives */
};

struct leaf_usage { uint64_t total_ns, user_ns, system_ns; };

/*
 * Makes the group, where the hierarchy is ours to write.  -errno with a sentence.  Unless `asked`, also
 *   -EPERM  the group that we live in belongs to a service manager and was not delegated, or it has
 *           limits: programs look for these in their own group, where they would not find them.
 */
int  leaf_open(struct leaf *ret, const struct source *src, bool asked, struct why *why) must_use;
/* -ENODEV: somebody removed it. */
int  leaf_read(const struct leaf *l, struct leaf_usage *ret) must_use;
/* Removes beside the leaf what recorders have left that died. */
void leaf_sweep(const struct leaf *l, const struct source *src);
/* Removes it and closes.  -EBUSY: processes live in it; the next recorder removes it when they have ended. */
int  leaf_close(struct leaf *l, const struct source *src);

/* Pure: whether a group of this name is a unit of systemd. */
bool leaf_is_unit(const char *name, size_t n);
/* Pure: the pid and start (in ticks) of the owner of a leaf made in this PID namespace; false: it is none. */
bool leaf_owner(const char *name, uint64_t pid_namespace, pid_t *ret_pid, uint64_t *ret_start);

#endif
