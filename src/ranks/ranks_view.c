/* ranks_view.c - a job over all its ranks: everything that is shown of it. */
#include "ranks_view.h"

#include <stdio.h>

#include "../text/human.h"
#include "clocks.h"

int ranks_view_open(struct ranks_view *ret, struct ranks *ranks)
{
	struct ranks_view v = { .ranks = *ranks };
	int r = job_use_read(&v.use, &v.ranks);

	*ranks = (struct ranks){ .n = 0 };
	if (r == 0)
		r = clocks_align(v.use.nodes, v.use.n_nodes, v.use.together);
	for (enum spread_of i = 0; r == 0 && i < SPREAD_COUNT; i++)
		r = spread_read(&v.spread[i], &v.ranks, &v.use, i);
	if (r == 0)
		r = stragglers_find(&v.stragglers, &v.n_stragglers, &v.ranks, &v.use);
	if (r == 0)
		r = region_spreads_read(&v.regions, &v.n_regions, &v.ranks);
	if (r < 0)
		ranks_view_close(&v);
	else
		*ret = v;
	return r;
}

void ranks_view_close(struct ranks_view *v)
{
	job_use_release(&v->use);
	ranks_release(&v->ranks);
	free(v->stragglers);
	free(v->regions);
	v->stragglers = NULL;
	v->regions = NULL;
}

void ranks_differ(char *ret, size_t size, const struct ranks_view *v)
{
	static const struct { enum spread_of what; void (*write)(struct buffer *out, double value); } parts[] = {
		{ SPREAD_MEMORY, human_bytes }, { SPREAD_CPU, human_seconds },
	};
	struct buffer out = { 0 };

	buffer_format(&out, "of %zu ranks on ", v->ranks.n);
	human_count(&out, (double)v->use.n_nodes, "node", "nodes");
	for (size_t i = 0; i < countof(parts); i++) {
		const struct spread *s = &v->spread[parts[i].what];

		if (s->ranks == 0)
			continue;
		buffer_format(&out, "; %s: most ", spreads[parts[i].what].name);
		parts[i].write(&out, s->most);
		buffer_text(&out, ", 95 % of them at most ");
		parts[i].write(&out, s->p95);
		if (!is_none(s->imbalance))
			buffer_format(&out, ", imbalance (most/mean) %.2f", s->imbalance);
	}
	(void)snprintf(ret, size, "%.*s", (int)out.len, out.at ? out.at : "");
	buffer_release(&out);
}
