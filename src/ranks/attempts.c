/* attempts.c - the ranks of earlier attempts of a job. */
#include "attempts.h"

#include <string.h>

/* A number without restarts is the first attempt. */
static int64_t attempt_of(const struct rank *r)
{
	return r->job.restarts > 0 ? r->job.restarts : 0;
}

/* The newest record of a rank that has an older one, on its node. */
struct again { const char *node; int64_t start_wall_ns; };

static int by_node(const void *a, const void *b)
{
	const struct again *x = a, *y = b;
	int r = strcmp(x->node, y->node);

	return r ? r : (x->start_wall_ns > y->start_wall_ns) - (x->start_wall_ns < y->start_wall_ns);
}

static int only_node(const void *node, const void *again)
{
	return strcmp(node, ((const struct again *)again)->node);
}

/* A second of clocks that are set, and of ends that are rounded. */
static bool ended_before(const struct rank *r, int64_t wall_ns)
{
	return !is_none(r->seconds) && (double)r->start_wall_ns / 1e9 + r->seconds + 1 < (double)wall_ns / 1e9;
}

/* again: sorted. */
static void set_aside_ended(struct rank *ranks, size_t n, struct again *again, size_t n_again)
{
	size_t nodes = 0;

	for (size_t i = 0; i < n_again; i++)            /* the first of each node */
		if (nodes == 0 || strcmp(again[nodes - 1].node, again[i].node) != 0)
			again[nodes++] = again[i];
	for (size_t i = 0; i < n; i++) {
		const struct again *found = ranks[i].role != ROLE_RANK ? NULL
			: bsearch(rank_node(&ranks[i]), again, nodes, sizeof *again, only_node);

		if (found && ended_before(&ranks[i], found->start_wall_ns))
			ranks[i].role = ROLE_EARLIER;
	}
}

int attempts_set_aside(struct rank *ranks, size_t n)
{
	struct again *again = calloc(n + 1, sizeof *again);
	int64_t last = 0;
	size_t n_again = 0;

	if (!again)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		last = attempt_of(&ranks[i]) > last ? attempt_of(&ranks[i]) : last;
	for (size_t i = 0, newest = n; i < n; i++) {
		bool is_newest = newest == n || ranks[i].number != ranks[newest].number;

		if (attempt_of(&ranks[i]) < last) {
			ranks[i].role = ROLE_EARLIER;
		} else if (is_newest) {
			newest = i;
		} else {
			ranks[i].role = ROLE_EARLIER;
			again[n_again++] = (struct again){ rank_node(&ranks[newest]), ranks[newest].start_wall_ns };
		}
	}
	qsort(again, n_again, sizeof *again, by_node);
	set_aside_ended(ranks, n, again, n_again);
	free(again);
	return 0;
}
