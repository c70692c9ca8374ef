/*
 * cgroup_path.h - finds the files of a process's control group: the hierarchies that are mounted here, and the place of
 * the group below the mount.  cgroups(7), cgroup_namespaces(7)
 *
 * A caller zeroes a cgroup_finder, sets `src`, and pid, only_v2 or membership as needed; calls cgroup_find, then
 * cgroup_open for files of the place.  Paths of places are below src->root.
 */
#ifndef RT_CGROUP_PATH_H
#define RT_CGROUP_PATH_H

#include <sys/types.h>

#include "../core/source.h"

/* Version 2 has one tree for everything; in version 1 each controller may have its own. */
enum hierarchy { HIERARCHY_V2, HIERARCHY_CPU, HIERARCHY_CPUACCT, HIERARCHY_MEMORY, HIERARCHY_PIDS,
		 HIERARCHY_CPUSET, HIERARCHY_COUNT };

enum { CGROUP_MOUNT_SIZE = 512, CGROUP_PATH_SIZE = 1024 };

/* The content of /proc/PID/cgroup: paths as seen from our cgroup namespace. */
struct cgroup_membership {
	bool known[HIERARCHY_COUNT];
	char path[HIERARCHY_COUNT][CGROUP_PATH_SIZE];
};

struct cgroup_place {
	char mount[CGROUP_MOUNT_SIZE];          /* mount point, decoded; "": not mounted, or group not in it */
	char path[CGROUP_PATH_SIZE];            /* of the group below it: "" or "/a/b" */
};

/* Pure, like the next: a line that is not understood is skipped. */
void cgroup_parse_membership(struct cgroup_membership *ret, const char *text, size_t n);
/*
 * /proc/self/mountinfo into ret[HIERARCHY_COUNT]; a place is empty if the hierarchy is not mounted.  own: our
 * membership, or the same object if it is ours.  A mount that does not show the group by its root is taken to begin at
 * our own group: then a group that is neither ours nor below it, such as that of another container, has no place.
 */
void cgroup_parse_mounts(struct cgroup_place *ret, const struct cgroup_membership *membership,
			 const struct cgroup_membership *own, const char *text, size_t n);

static inline bool cgroup_is_found(const struct cgroup_place *p) { return p->mount[0] != '\0'; }

struct cgroup_finder {
	const struct source *src;
	pid_t pid;                              /* 0: our own group */
	bool only_v2;                           /* does not search version 1 */
	bool sees_root;                         /* result: the place in version 2 counts from the root of its tree */
	int *membership;                        /* the caller's descriptor, -1 at first, kept open for the next call;
						   closed after an error; NULL: opened each time */
	uint64_t fingerprint;                   /* of the membership that `place` was made from; 0: none */
	struct cgroup_place place[HIERARCHY_COUNT];
	bool known[HIERARCHY_COUNT];            /* the process is in a group of it that can have limits */
};

/*
 * Checks whether the process is still in the groups of `place`.  1: places were found again, and descriptors opened
 * below the old ones are out of date; 0: unchanged; -errno: the process or its membership is gone, and `place` is as it
 * was.  text: scratch.
 */
int  cgroup_find(struct cgroup_finder *f, struct text *text) must_use;

/* The place of a controller: in version 1 if it is mounted there, else in version 2. */
static inline const struct cgroup_place *cgroup_place_of(const struct cgroup_finder *f, enum hierarchy v1)
{
	return &f->place[cgroup_is_found(&f->place[v1]) ? v1 : HIERARCHY_V2];
}

/*
 * The process is in a group of the controller that cannot be seen here, such as that of another container: whether it
 * has limits is unknown.
 */
static inline bool cgroup_is_hidden(const struct cgroup_finder *f, enum hierarchy v1)
{
	enum hierarchy h = f->known[v1] ? v1 : HIERARCHY_V2;

	return f->known[h] && !cgroup_is_found(&f->place[h]);
}

static inline bool cgroup_is_v2(const struct cgroup_finder *f, const struct cgroup_place *p)
{
	return p == &f->place[HIERARCHY_V2];
}

/* The group in version 2 is the root of the whole tree, so its figures are those of the machine.  Opens it to see. */
bool cgroup_is_machine(const struct cgroup_finder *f);

/* A group above is a prefix of the path.  Returns the length of its parent's; 0 of a group with length 0: none here. */
size_t cgroup_parent(const struct cgroup_place *p, size_t length);
/*
 * Opens a file of a group for reading, or with "." its folder.  The group's path is the first `length` bytes of
 * place's.  Returns a descriptor, which the caller closes, or -errno; -ENOENT: the group has no such file, or is gone.
 */
int  cgroup_open(const struct source *src, const struct cgroup_place *p, size_t length, const char *file);
/* The same in the group or the nearest above it that has the file: the kernel counts there. */
int  cgroup_open_nearest(const struct source *src, const struct cgroup_place *p, const char *file);

#endif
