/* region_spread.c - the regions of all ranks laid over each other. */
#include "region_spread.h"

#include <string.h>

/* A region of a rank; a run of them with one path is a group. */
struct entry { const struct rank_region *region; size_t rank; };
struct group { size_t first, n; double seconds; };

static int by_path(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int r = strcmp(x->region->path, y->region->path);

	return r ? r : (x->rank > y->rank) - (x->rank < y->rank);
}

static int longest_first(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->seconds < y->seconds || x->seconds > y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	return (x->first > y->first) - (x->first < y->first);
}

static size_t list(struct entry *ret, const struct ranks *ranks)
{
	size_t n = 0;

	for (size_t i = 0; i < ranks->n; i++)
		for (size_t k = 0; k < ranks->at[i].n_regions; k++) {
			if (ret)
				ret[n] = (struct entry){ &ranks->at[i].regions[k], i };
			n++;
		}
	return n;
}

static size_t find_groups(struct group *ret, const struct entry *sorted, size_t n)
{
	size_t groups = 0;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(sorted[i].region->path, sorted[i - 1].region->path) != 0)
			ret[groups++] = (struct group){ .first = i };
		ret[groups - 1].n++;
		ret[groups - 1].seconds += sorted[i].region->seconds;
	}
	qsort(ret, groups, sizeof *ret, longest_first);
	return groups;
}

static struct region_spread spread_of_group(const struct group *g, const struct entry *sorted, double *by_rank,
					    size_t ranks)
{
	struct region_spread s = { .path = sorted[g->first].region->path };

	for (size_t i = 0; i < ranks; i++)
		by_rank[i] = NONE;
	for (size_t i = g->first; i < g->first + g->n; i++) {
		by_rank[sorted[i].rank] = sorted[i].region->seconds;
		s.count += sorted[i].region->count;
	}
	s.time = spread_of_values(by_rank, ranks);
	return s;
}

int region_spreads_read(struct region_spread **ret, size_t *ret_n, const struct ranks *ranks)
{
	size_t n = list(NULL, ranks), groups = 0;
	struct entry *sorted = calloc(n + 1, sizeof *sorted);
	struct group *group = calloc(n + 1, sizeof *group);
	double *by_rank = calloc(ranks->n + 1, sizeof *by_rank);
	struct region_spread *found = calloc(size_min(n, REGION_SPREADS) + 1, sizeof *found);
	bool have = sorted && group && by_rank && found;

	if (have) {
		(void)list(sorted, ranks);
		qsort(sorted, n, sizeof *sorted, by_path);
		groups = size_min(find_groups(group, sorted, n), REGION_SPREADS);
		for (size_t i = 0; i < groups; i++)
			found[i] = spread_of_group(&group[i], sorted, by_rank, ranks->n);
		*ret = found;
		*ret_n = groups;
	} else {
		free(found);
	}
	free(sorted);
	free(group);
	free(by_rank);
	return have ? 0 : -ENOMEM;
}
