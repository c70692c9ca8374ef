/*
 * cgroup_limits.h - the limits of a control group and its ancestors (Documentation/admin-guide/cgroup-v2.rst, and
 * cgroup-v1/).  A limit that cannot be read is NONE.
 */
#ifndef RT_COLLECT_CGROUP_LIMITS_H
#define RT_COLLECT_CGROUP_LIMITS_H

#include "../kernel/cgroup_path.h"

enum limit_file { LIMIT_QUOTA, LIMIT_PERIOD, LIMIT_MEMORY, LIMIT_PIDS, LIMIT_FILES };
enum { LEVELS_KEPT = 8 };

struct cgroup_limits {                          /* NONE: no limit, or unknown */
	double quota_cores, memory_bytes, pids; /* the tightest of the group and its ancestors */
	double affinity_cores;                  /* CPUs on which the process can run */
	size_t quota_length;                    /* of the path, in f's place of the CPU controller, of the group with
						   the tightest quota; no quota: the whole path */
	/* From the group upwards; opening them each time would be most of the cost of a reading. */
	int fd[LEVELS_KEPT][LIMIT_FILES];
};

/* Nothing known, nothing open: begin with this. */
struct cgroup_limits cgroup_limits_none(void);
/*
 * Reads all limits of the groups that cgroup_find found.  text: scratch.  Of a process that has ended, the affinity
 * keeps its last value.
 */
void cgroup_limits_read(struct cgroup_limits *l, const struct cgroup_finder *f, struct text *text);
/* Call it when cgroup_find returned 1, before the next cgroup_limits_read, and at the end. */
void cgroup_limits_close(struct cgroup_limits *l);

#endif
