/* region_spread.h - the regions of all ranks laid over each other: how their times differ. */
#ifndef RT_REGION_SPREAD_H
#define RT_REGION_SPREAD_H

#include "spread.h"

enum { REGION_SPREADS = 100 };

/* A region: the time of each rank that entered it.  The path belongs to a rank. */
struct region_spread { const char *path; uint64_t count; struct spread time; };

/*
 * The regions in which all ranks together spent most time, the longest first, at most REGION_SPREADS of those that the
 * ranks keep.  *ret is for the caller to free.  -ENOMEM.
 */
int region_spreads_read(struct region_spread **ret, size_t *ret_n, const struct ranks *ranks) must_use;

#endif
