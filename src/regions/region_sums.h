/* region_sums.h - sums over the entries of each region, by path.  Pure; times are in ticks of the channel. */
#ifndef RT_REGION_SUMS_H
#define RT_REGION_SUMS_H

#include "../core/regions.h"

#define RT_REGION_LAYOUT_ONLY
#include "../../include/resource_tracker_regions.h"
#undef RT_REGION_LAYOUT_ONLY

struct region_sum {
	char path[REGION_PATH_SIZE];
	bool cpu_unknown;                       /* at least one entry has no CPU time */
	struct rt_region_block sum;             /* `abandoned` counts unfinished entries */
};

struct region_sums { struct region_sum *at; size_t n; uint64_t lost; }; /* all zero: empty */

void region_sums_release(struct region_sums *b);

/* Adding copies the path.  Without memory, or with too many paths, the entries count as lost. */
struct region_visit { uint64_t wall, cpu; bool cpu_unknown, unfinished; };
void region_sums_add(struct region_sums *b, const char *path, const struct region_visit *visit);
/* Adds sums of entries that a program has computed; their values can be anything. */
void region_sums_add_block(struct region_sums *b, const char *path, const struct rt_region_block *sum,
			   bool cpu_unknown);
void region_sums_add_recursed(struct region_sums *b, const char *path); /* one entry within itself */
/* Adds all of `from`, which stays.  scale: one unit of time of `from` in units of `to`. */
void region_sums_merge(struct region_sums *to, const struct region_sums *from, double scale);

/* Sorted by path.  0 or -ENOMEM.  The caller frees `ret` with region_totals_release. */
int  region_sums_totals(struct region_totals *ret, const struct region_sums *b, double ns_per_tick) must_use;
void region_totals_release(struct region_totals *t);

#endif
