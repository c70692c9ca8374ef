/* session_own_cgroup.h - a control group of its own for the command: created, used, removed. */
#ifndef RT_SESSION_OWN_CGROUP_H
#define RT_SESSION_OWN_CGROUP_H

#include "../options/options.h"
#include "../cpu/own_cgroup.h"
#include "child.h"

struct session_own_cgroup {
	bool open;                              /* `own_cgroup` is initialized, with the command in it or not */
	const struct source *source;
	struct own_cgroup own_cgroup;
	struct why refusal;                     /* why there is no group; "": there is one, or none was tried */
};

/*
 * Creates the group before the fork; *s is zeroed.  Both -1: not wanted or not possible.  `s` keeps the descriptors,
 * and is to be closed in any case; `src` must outlive it.
 */
struct child_group session_own_cgroup_open(struct session_own_cgroup *s, const struct source *src,
					   const struct options *o);
/*
 * After the fork.  in_own_cgroup: the command is in the group; else the group is removed.  `why` gets a sentence if the
 * user asked for a group and none is in use.
 */
void session_own_cgroup_forked(struct session_own_cgroup *s, const struct options *o, bool in_own_cgroup,
			       struct why *why);
/* For the tree; NULL: unknown. */
const struct own_cgroup *session_own_cgroup_of(const struct session_own_cgroup *s);
/* Removes the groups of dead recorders beside it. */
void session_own_cgroup_sweep(const struct session_own_cgroup *s);
/* Removes the group, if any.  -EBUSY with a sentence: processes that the command left behind are still in it. */
int  session_own_cgroup_close(struct session_own_cgroup *s, struct why *why);

#endif
