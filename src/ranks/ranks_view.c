/* ranks_view.c - a job over all its ranks: everything that is shown of it. */
#include "ranks_view.h"

int ranks_view_open(struct ranks_view *ret, struct ranks *ranks)
{
	struct ranks_view v = { .ranks = *ranks };
	int r = job_use_read(&v.use, &v.ranks);

	*ranks = (struct ranks){ .n = 0 };
	for (enum spread_of i = 0; r == 0 && i < SPREAD_COUNT; i++)
		r = spread_read(&v.spread[i], &v.ranks, &v.use, i);
	if (r == 0)
		r = stragglers_find(&v.stragglers, &v.n_stragglers, &v.ranks, &v.use);
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
	v->stragglers = NULL;
}
