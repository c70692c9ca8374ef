/* clocks.c - the nodes of a job on one axis of time. */
#include "clocks.h"

#include <math.h>

enum { ENDS = 3 };                              /* of a node: first, median, last */

static const double LEAST_SECONDS = 2;  /* a smaller difference is rather one of the starts */
static const double SAME_SECONDS = 1;   /* starts and ends of ranks on two nodes differ so much by themselves */

/* An end of a node: how long after its first start, by its own clock. */
struct event { double after; size_t node; };

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return (x->after > y->after) - (x->after < y->after);
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *values, size_t n)
{
	qsort(values, n, sizeof *values, ascending);
	return values[(n - 1) / 2];
}

/* ---- the common end ------------------------------------------------------------------------ */

/* In the order of time. */
static size_t list_ends(struct event *ret, const struct node_use *nodes, size_t n)
{
	size_t count = 0;

	for (size_t k = 0; k < n; k++) {
		const double ends[ENDS] = { nodes[k].first_end, nodes[k].median_end, nodes[k].last_end };

		for (size_t i = 0; i < ENDS; i++)
			if (!is_none(ends[i]))
				ret[count++] = (struct event){ ends[i] - nodes[k].first_start, k };
	}
	qsort(ret, count, sizeof *ret, by_time);
	return count;
}

/* The time within which the most nodes have an end.  Returns how many.  inside: of each node, zeroed. */
static size_t find_common(double *ret_from, const struct event *event, size_t n, unsigned char *inside)
{
	size_t first = 0, nodes = 0, most = 0;

	for (size_t i = 0; i < n; i++) {
		nodes += inside[event[i].node]++ == 0;
		for (; event[i].after - event[first].after > SAME_SECONDS; first++)
			nodes -= --inside[event[first].node] == 0;
		if (nodes > most) {
			most = nodes;
			*ret_from = event[first].after;
		}
	}
	return most;
}

/* By node: its start, and its common end, NONE: it has none. */
struct common { double *starts, *ends, *scratch; };

static double median_of(const struct common *c, const double *values, size_t n)
{
	size_t known = 0;

	for (size_t k = 0; k < n; k++)
		if (!is_none(c->ends[k]))
			c->scratch[known++] = values[k];
	return median(c->scratch, known);
}

/* false: there is no common end. */
static bool read_common(struct common *c, const struct node_use *nodes, size_t n, struct event *event,
			unsigned char *inside)
{
	size_t count = list_ends(event, nodes, n), have;
	double from = NONE;

	have = find_common(&from, event, count, inside);
	if (have < 2 || 2 * have < n)
		return false;
	for (size_t k = 0; k < n; k++) {
		c->starts[k] = nodes[k].first_start;
		c->ends[k] = NONE;
	}
	for (size_t i = count; i-- > 0;)        /* of several the first */
		if (event[i].after >= from && event[i].after <= from + SAME_SECONDS)
			c->ends[event[i].node] = c->starts[event[i].node] + event[i].after;
	return true;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

/* Since a common end is as long after the start on all nodes, both differ by the same. */
static void compare_clocks(struct node_use *nodes, size_t n, const struct common *c)
{
	double start = median_of(c, c->starts, n), end = median_of(c, c->ends, n);

	for (size_t k = 0; k < n; k++)
		if (!is_none(c->ends[k]) && fabs(c->starts[k] - start) >= LEAST_SECONDS)
			nodes[k].ahead_seconds = (c->starts[k] - start + c->ends[k] - end) / 2;
}

/* For now job_began is the shift of a node's clock to the median node's. */
static void shift(struct node_use *nodes, size_t n, double *scratch)
{
	double start;

	for (size_t k = 0; k < n; k++)
		scratch[k] = is_none(nodes[k].ahead_seconds) ? nodes[k].first_start
							     : nodes[k].first_start - nodes[k].ahead_seconds;
	start = median(scratch, n);
	for (size_t k = 0; k < n; k++) {
		double apart = nodes[k].first_start - start;

		if (!is_none(nodes[k].ahead_seconds))
			nodes[k].job_began = nodes[k].ahead_seconds;
		else if (fabs(apart) >= CLOCKS_APART_SECONDS)
			nodes[k].job_began = apart;
	}
}

static int compare(struct node_use *nodes, size_t n)
{
	auto_free double *room = calloc(3 * n + 1, sizeof *room);
	auto_free struct event *events = calloc(ENDS * n + 1, sizeof *events);
	auto_free unsigned char *inside = calloc(n + 1, 1);
	struct common c;

	if (!room || !events || !inside)
		return -ENOMEM;
	c = (struct common){ room, room + n, room + 2 * n };
	if (read_common(&c, nodes, n, events, inside))
		compare_clocks(nodes, n, &c);
	shift(nodes, n, c.scratch);
	return 0;
}

int clocks_align(struct node_use *nodes, size_t n, bool together)
{
	double first = NONE;

	for (size_t k = 0; k < n; k++) {
		nodes[k].job_began = 0;
		nodes[k].ahead_seconds = NONE;
	}
	if (together && compare(nodes, n) < 0)
		return -ENOMEM;
	for (size_t k = 0; k < n; k++)
		if (!(nodes[k].first_start - nodes[k].job_began >= first))
			first = nodes[k].first_start - nodes[k].job_began;
	for (size_t k = 0; k < n; k++)
		nodes[k].job_began += first;
	return 0;
}
