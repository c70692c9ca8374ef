/* memory_notes.c - memory of programs at the beginning or end of a region, as reported by themselves. */
#include "memory_notes.h"

#include <string.h>

static void take_first(struct memory_notes *m)
{
	m->n--;
	memmove(&m->at[0], &m->at[1], m->n * sizeof m->at[0]);
}

void memory_notes_add(struct memory_notes *m, const struct memory_note *reported)
{
	size_t i;

	if (reported->until_ns < reported->from_ns)
		return;
	if (m->n == MEMORY_NOTES_MAX)
		take_first(m);
	for (i = m->n; i > 0 && m->at[i - 1].until_ns > reported->until_ns; i--)
		m->at[i] = m->at[i - 1];
	m->at[i] = *reported;
	m->n++;
}

bool memory_notes_next(struct memory_notes *m, int64_t by_ns, struct memory_note *ret)
{
	if (m->n == 0 || m->at[0].until_ns > by_ns)
		return false;
	*ret = m->at[0];
	take_first(m);
	return true;
}
