/* rank_regions.c - the time of a rank in the regions of its code. */
#include "rank_regions.h"

#include <string.h>

int rank_regions_read(struct rank_region **ret, size_t *ret_n, const struct region_totals *totals)
{
	struct rank_region *regions = totals->n > 0 ? calloc(size_min(totals->n, RANK_REGIONS), sizeof *regions) : NULL;
	size_t n = 0;

	if (totals->n > 0 && !regions)
		return -ENOMEM;
	for (size_t i = 0; i < totals->n && n < RANK_REGIONS; i++) {
		const struct region_total *t = &totals->at[i];
		char *path;

		if (is_none(t->seconds) || !region_among_longest(totals, i, RANK_REGIONS))
			continue;
		path = strdup(t->path);
		if (!path) {
			rank_regions_release(regions, n);
			return -ENOMEM;
		}
		regions[n++] = (struct rank_region){ path, t->count, t->seconds };
	}
	*ret = regions;
	*ret_n = n;
	return 0;
}

void rank_regions_release(struct rank_region *regions, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(regions[i].path);
	free(regions);
}
