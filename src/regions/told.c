/* told.c - what memory programs had as they began or ended a region, told by themselves. */
#include "told.h"

#include <string.h>

static void take_first(struct told_memory *m)
{
	m->n--;
	memmove(&m->at[0], &m->at[1], m->n * sizeof m->at[0]);
}

void told_add(struct told_memory *m, const struct told *told)
{
	size_t i;

	if (told->until_ns < told->from_ns)
		return;
	if (m->n == TOLD_MAX)
		take_first(m);
	for (i = m->n; i > 0 && m->at[i - 1].until_ns > told->until_ns; i--)
		m->at[i] = m->at[i - 1];
	m->at[i] = *told;
	m->n++;
}

bool told_next(struct told_memory *m, int64_t by_ns, struct told *ret)
{
	if (m->n == 0 || m->at[0].until_ns > by_ns)
		return false;
	*ret = m->at[0];
	take_first(m);
	return true;
}
