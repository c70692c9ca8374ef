/* cgroup_limits.h - what a control group and those above it allow. */
#ifndef RT_COLLECT_CGROUP_LIMITS_H
#define RT_COLLECT_CGROUP_LIMITS_H

#include "cgroup_path.h"

struct cgroup_limits {                          /* NONE: no limit, or not known */
	double quota_cores, memory_bytes, pids; /* the tightest of the group's and all above it */
	double affinity_cores;                  /* CPUs on which the process may run */
	double machine_bytes;                   /* MemTotal */
	size_t quota_length;                    /* of the path of the group whose quota is the tightest */
};

struct cgroup_limits cgroup_limits_none(void);
/* The affinity of a process that has ended stays what it was. */
void cgroup_limits_read(struct cgroup_limits *l, const struct cgroup_finder *f, struct text *text);

#endif
