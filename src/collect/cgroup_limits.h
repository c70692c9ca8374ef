/* cgroup_limits.h - what a control group and those above it allow. */
#ifndef RT_COLLECT_CGROUP_LIMITS_H
#define RT_COLLECT_CGROUP_LIMITS_H

#include "../kernel/cgroup_path.h"

enum limit_file { LIMIT_QUOTA, LIMIT_PERIOD, LIMIT_MEMORY, LIMIT_PIDS, LIMIT_FILES };
enum { LEVELS_KEPT = 8 };

struct cgroup_limits {                          /* NONE: no limit, or not known */
	double quota_cores, memory_bytes, pids; /* the tightest of the group's and all above it */
	double affinity_cores;                  /* CPUs on which the process may run */
	size_t quota_length;                    /* of the path of the group whose quota is the tightest */
	/* From the group upwards; opening them anew each time would be most of what a look costs. */
	int fd[LEVELS_KEPT][LIMIT_FILES];
};

struct cgroup_limits cgroup_limits_none(void);
/* The affinity of a process that has ended stays what it was. */
void cgroup_limits_read(struct cgroup_limits *l, const struct cgroup_finder *f, struct text *text);
/* Before the group is another one, and at the end. */
void cgroup_limits_close(struct cgroup_limits *l);

#endif
