/* look.c - a look at the sums of a tree between two samples. */
#include "state.h"

static double sum_of(const struct tree *t, enum counter k)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->n_roots; i++)
		sum += t->root[i].live[k] + t->root[i].ended[k] - t->root[i].held[k];
	return (double)sum;
}

void tree_sums(const struct tree *t, struct tree_sums *ret)
{
	int64_t rss = 0, alive = 0;
	bool io = t->ever[HAS_IO];

	for (size_t i = 0; i < t->n_roots; i++) {
		rss += t->root[i].level[RSS];
		alive += t->root[i].level[ALIVE];
	}
	*ret = (struct tree_sums){
		.cpu_seconds = sum_of(t, CPU_NS) / 1e9, .rss_bytes = (double)rss,
		.largest_bytes = (double)t->peak.rss,
		.disk_read_bytes = io ? sum_of(t, READ_BYTES) : NONE,
		.disk_write_bytes = io ? sum_of(t, WRITE_BYTES) : NONE, .processes = alive > 0 ? (size_t)alive : 0,
	};
}

static bool is_root(const struct tree *t, pid_t pid)
{
	for (size_t i = 0; i < t->n_roots; i++)
		if (t->root[i].pid == pid)
			return true;
	return false;
}

bool tree_others(const struct tree *t, pid_t pid, struct tree_others *ret)
{
	const struct member *but = members_find(&t->members, pid);
	struct tree_others others = { .still = true };

	if (!but && !is_root(t, pid))                   /* a root may have ended by now */
		return false;
	for (size_t i = 0; i < t->members.n; i++) {
		const struct member *m = t->members.order[i];

		if (m == but || m->gone || m->figures.state == 'Z')
			continue;
		others.rss_bytes += (double)m->figures.rss;
		others.processes++;
		others.still &= m->reads > 0 && m->pass + 1 != t->pass; /* who did not run was not read */
	}
	*ret = others;
	return true;
}

void tree_look(struct tree *t, struct tree_sums *ret)
{
	struct tick no_sample = { .src = t->src, .brief = true };

	(void)tree_read(t, &no_sample);
	tree_sums(t, ret);
}
