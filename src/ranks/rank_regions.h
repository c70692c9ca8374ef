/* rank_regions.h - the time of a rank in the regions of its code, as plain data. */
#ifndef RT_RANK_REGIONS_H
#define RT_RANK_REGIONS_H

#include "../core/regions.h"

enum { RANK_REGIONS = 32 };                     /* those with the longest time are kept */

/* All entries of one path; seconds: of all threads together, known. */
struct rank_region { char *path; uint64_t count; double seconds; };

/* *ret: by path, at most RANK_REGIONS; for rank_regions_release.  -ENOMEM. */
int  rank_regions_read(struct rank_region **ret, size_t *ret_n, const struct region_totals *totals) must_use;
void rank_regions_release(struct rank_region *regions, size_t n);

#endif
