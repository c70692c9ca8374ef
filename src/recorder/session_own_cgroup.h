/* session_own_cgroup.h - the control group of its own that a command lives in: made, used, removed. */
#ifndef RT_SESSION_OWN_CGROUP_H
#define RT_SESSION_OWN_CGROUP_H

#include "../options/options.h"
#include "../cpu/own_cgroup.h"
#include "child.h"

struct session_own_cgroup {
	bool open;                              /* `own group` is, whether the command lives in it or not */
	const struct source *source;
	struct own_cgroup own_cgroup;
	struct why refusal;                     /* "": there is one, or none was looked for */
};

/* Both -1: none is wanted or to be had. */
struct child_group session_own_cgroup_open(struct session_own_cgroup *s, const struct source *src, const struct options *o);
/* Whether the command lives in it.  `why`: a sentence if one was asked for and is not in use. */
void session_own_cgroup_born(struct session_own_cgroup *s, const struct options *o, bool in_own_cgroup, struct why *why);
const struct own_cgroup *session_own_cgroup_of(const struct session_own_cgroup *s);       /* for the tree; NULL: nothing is known */
void session_own_cgroup_sweep(const struct session_own_cgroup *s);
/* -EBUSY with a sentence: what the command left behind lives in it. */
int  session_own_cgroup_close(struct session_own_cgroup *s, struct why *why);

#endif
