/* own_cgroup_place.h - whether a control group may be made here without a request for it. */
#ifndef RT_OWN_CGROUP_PLACE_H
#define RT_OWN_CGROUP_PLACE_H

#include "../kernel/cgroup_path.h"

/*
 * `own`: the folder of the group at `place`, in which it would be made.  -EPERM with a sentence: the group belongs to a
 * service manager and is not delegated; or it has limits, which programs look for in their own group; or, in version 1,
 * controllers other than cpuacct.
 */
int own_cgroup_may_be_made(const struct source *src, const struct cgroup_place *place, int own, bool is_v1,
		     struct why *why) must_use;

/*
 * Whether the group (a folder's descriptor) has limits, which a command in a group below would not find.  False if
 * that cannot be read, here and below.
 */
bool own_cgroup_hides_limits(int group);
/* Whether a group of version 1 has controllers other than cpuacct. */
bool own_cgroup_has_other_controllers(int group);
/* Pure: whether a group of this name is a unit of systemd. */
bool own_cgroup_is_unit(const char *name, size_t n);

#endif
