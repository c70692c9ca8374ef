/* own_cgroup_place.c - whether a control group may be made here without a request for it. */
#include "own_cgroup_place.h"

#include <fcntl.h>
#include <string.h>
#include <sys/xattr.h>

bool own_cgroup_is_unit(const char *name, size_t n)
{
	static const char *const kinds[] = { ".service", ".scope", ".slice", ".mount", ".socket", ".swap" };

	for (size_t i = 0; i < countof(kinds); i++) {
		size_t length = strlen(kinds[i]);

		if (n > length && memcmp(name + n - length, kinds[i], length) == 0)
			return true;
	}
	return false;
}

/* systemd marks groups that it delegates (its documentation: CGROUP_DELEGATION). */
static bool is_delegated(int group)
{
	char yes = '\0';

	return (fgetxattr(group, "user.delegate", &yes, 1) == 1 && yes == '1') ||
	       (fgetxattr(group, "trusted.delegate", &yes, 1) == 1 && yes == '1');
}

/*
 * The top has no such mark.  systemd has its own group there.  It uses some hierarchies of version 1 only when it has
 * to (sd_booted(3): whether it manages the machine or container).
 */
static bool is_managed_top(const struct source *src, int group, bool is_v1)
{
	return (group >= 0 && faccessat(group, "init.scope", F_OK, 0) == 0) ||
	       (is_v1 && faccessat(src->root, "run/systemd/system", F_OK, 0) == 0);
}

/* From the group (`own`) upwards: the first that is delegated or a unit decides, or else the hierarchy's top. */
static bool is_managed(const struct source *src, const struct cgroup_place *place, int own, bool is_v1)
{
	size_t whole = strlen(place->path), length = whole;

	for (;; length = cgroup_parent(place, length)) {
		auto_close int above = length < whole ? cgroup_open(src, place, length, ".") : -1;
		int group = length < whole ? above : own;
		size_t parent = length > 0 ? cgroup_parent(place, length) : 0;

		if (group >= 0 && is_delegated(group))
			return false;
		if (length == 0)
			return is_managed_top(src, group, is_v1);
		if (own_cgroup_is_unit(place->path + parent + 1, length - parent - 1))
			return true;
	}
}

/* Programs that size themselves by their limits (for example JVMs) read the limits of their own group only. */
bool own_cgroup_hides_limits(int group)
{
	static const char *const files[] = { "memory.max", "memory.high", "cpu.max" };
	char line[64];

	for (size_t i = 0; i < countof(files); i++)
		if (source_read_line(line, sizeof line, group, files[i]) == 0 && strncmp(line, "max", 3) != 0)
			return true;
	return false;
}

/* In version 1 a group has all controllers of its hierarchy: the job's share of the CPU would change. */
bool own_cgroup_has_other_controllers(int group)
{
	static const char *const files[] = { "cpu.shares", "cpuset.cpus", "memory.limit_in_bytes", "pids.max" };

	for (size_t i = 0; i < countof(files); i++)
		if (faccessat(group, files[i], F_OK, 0) == 0)
			return true;
	return false;
}

int own_cgroup_may_be_made(const struct source *src, const struct cgroup_place *place, int own, bool is_v1,
			   struct why *why)
{
	if (is_managed(src, place, own, is_v1))
		return why_set(why, -EPERM, "the recorder's control group is a service manager's, and not delegated");
	if (own_cgroup_hides_limits(own))
		return why_set(why, -EPERM, "the recorder's control group has limits, which the command would not find below it");
	if (is_v1 && own_cgroup_has_other_controllers(own))
		return why_set(why, -EPERM, "the recorder's control group of version 1 has controllers that divide resources, and a group "
			       "below it would change the command's share");
	return 0;
}
