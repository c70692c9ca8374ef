/* look.c - a look at the sums of a tree between two samples. */
#include "state.h"

void tree_sums(const struct tree *t, struct tree_sums *ret)
{
	struct tree_sums sums = { 0 };
	uint64_t cpu_ns = 0;
	int64_t rss = 0, alive = 0;

	for (size_t i = 0; i < t->n_roots; i++) {
		cpu_ns += t->root[i].live[CPU_NS] + t->root[i].ended[CPU_NS];
		rss += t->root[i].level[RSS];
		alive += t->root[i].level[ALIVE];
	}
	sums.cpu_seconds = (double)cpu_ns / 1e9;
	sums.rss_bytes = (double)rss;
	sums.processes = alive > 0 ? (size_t)alive : 0;
	*ret = sums;
}

void tree_look(struct tree *t, struct tree_sums *ret)
{
	struct tick no_sample = { .src = t->src, .brief = true };

	(void)tree_read(t, &no_sample);
	tree_sums(t, ret);
}
