/*
 * pressure.h - the pure function of the pressure collector, apart for tests and fuzzing
 * (Documentation/accounting/psi.rst).
 */
#ifndef RT_COLLECT_PRESSURE_H
#define RT_COLLECT_PRESSURE_H

#include "../core/base.h"

struct pressure_times {                         /* microseconds since boot, or since the group was made */
	uint64_t some, full;
	bool has_some, has_full;                /* `full` of the CPU came with Linux 5.13 */
};

/* One file of /proc/pressure, or X.pressure of a group.  -EBADMSG, and *ret unchanged: neither line has a total. */
int pressure_parse(struct pressure_times *ret, const char *text, size_t n) must_use;

#endif
