/* space_schedule.c - reads the space of filesystems that might not answer. */
#include "space_schedule.h"

#include <fcntl.h>
#include <string.h>

struct space_schedule *space_schedule_open(space_ask_function *ask, bool live, int root, size_t size)
{
	struct space_schedule *a = calloc(1, sizeof *a + size * sizeof a->at[0]);

	if (!a)
		return NULL;
	a->ask = ask;
	a->live = live;
	a->root = live ? -1 : fcntl(root, F_DUPFD_CLOEXEC, 0);
	a->size = size;
	return a;
}

int space_schedule_add(struct space_schedule *a, const struct mount *m)
{
	char *point = a->n < a->size ? strdup(m->point) : NULL;

	if (!point)
		return -ENOMEM;
	a->at[a->n++] = (struct space_query){ .point = point, .major = m->major, .minor = m->minor, .result = 1 };
	return 0;
}

void space_schedule_run(void *space_schedule)
{
	struct space_schedule *a = space_schedule;

	for (size_t i = 0; i < a->n; i++) {
		struct space_query *to = &a->at[i];

		atomic_store(&a->current, i);
		to->result = a->ask(&to->space, a->live, a->root, to->point, to->major, to->minor);
	}
}

size_t space_schedule_current(const struct space_schedule *a)
{
	return atomic_load(&a->current);
}

void space_schedule_free(struct space_schedule *a)
{
	if (!a)
		return;
	close_p(&a->root);
	for (size_t i = 0; i < a->n; i++)
		free(a->at[i].point);
	free(a);
}
