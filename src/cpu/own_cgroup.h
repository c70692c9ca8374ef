/*
 * own_cgroup.h - an own control group for the tree, in which the kernel counts its CPU time exactly.
 *
 * It is a child of the group that we run in, so all limits of that group hold.  No controller is enabled in it: version
 * 2 counts CPU time in every group (cgroup-v2.rst, "cpu.stat").  The command is started in it (CLONE_INTO_CGROUP),
 * because moving a process can take the kernel milliseconds.
 *
 * If version 2 is not mounted or cannot be written to, the own group is made in version 1's cpuacct
 * (cgroup-v1/cpuacct.rst).  There no process can be started in another group, but a thread that moves only itself is
 * moved in 30 us.
 *
 * If no own group can be made, the group that we run in still counts everything in it: an upper bound.
 */
#ifndef RT_OWN_CGROUP_H
#define RT_OWN_CGROUP_H

#include "../core/source.h"

struct own_cgroup {
	/* Descriptors; -1: not open. */
	int  parent, directory, usage;          /* the group above, the own group, its cpu.stat */
	bool is_v1;                             /* version 1: `usage` is cpuacct.usage, and there are */
	int  split, tasks;                      /* its cpuacct.stat; its tasks, for the command's thread */
	long ticks_per_second;                  /* of its cpuacct.stat */
	int  above;                             /* cpu.stat of the group above, or version 1's cpuacct.usage */
	bool above_is_v1;
	char name[80];                          /* resource-tracker-PIDNAMESPACE-PID-MADE: identifies its owner */
};

struct own_cgroup_usage { uint64_t total_ns, user_ns, system_ns; };

/* Only opens the group above; makes one if it does no harm (own_cgroup_place.h); makes one in any case. */
enum own_cgroup_wish { OWN_CGROUP_UNWANTED, OWN_CGROUP_WANTED, OWN_CGROUP_ASKED };

/*
 * Makes the group, if we can write to the hierarchy.  -errno with a sentence.  *ret must be closed after an error too:
 * then it has `above`, if that is available.  -EPERM: it must not be made; -ECANCELED: unwanted; -ENODATA: no
 * hierarchy that counts CPU time.
 */
int own_cgroup_open(struct own_cgroup *ret, const struct source *src, enum own_cgroup_wish wish,
		    struct why *why) must_use;
/* -ENODEV: it was removed; -EBADMSG: unknown text.  In version 1, user and system time are whole ticks. */
int  own_cgroup_read(const struct own_cgroup *l, struct own_cgroup_usage *ret) must_use;
/* CPU time of everything in the group above, this process too.  -ENODATA: not available. */
int  own_cgroup_read_above(const struct own_cgroup *l, uint64_t *ret_ns) must_use;
/* Removes the own groups of dead recorders beside this one; nothing if none was made. */
void own_cgroup_sweep(const struct own_cgroup *l, const struct source *src);
/* No process was started in it: removes it, and opens the group above instead. */
void own_cgroup_give_up(struct own_cgroup *l, const struct source *src);
/*
 * Removes it, and closes all descriptors in any case.  -EBUSY: processes live in it (after tries for 1 ms); the next
 * recorder removes it when they have exited.
 */
int  own_cgroup_close(struct own_cgroup *l, const struct source *src);

/*
 * Pure: the owner of an own group, by its name, and when it was created, in ticks since boot.  false: not the name of
 * an own group of this PID namespace.
 */
bool own_cgroup_owner(const char *name, uint64_t pid_namespace, pid_t *ret_pid, uint64_t *ret_made);

#endif
