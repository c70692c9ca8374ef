/* askings.c - asking filesystems that may not answer. */
#include "askings.h"

#include <fcntl.h>
#include <string.h>

struct askings *askings_open(space_ask_function *ask, bool live, int root, size_t size)
{
	struct askings *a = calloc(1, sizeof *a + size * sizeof a->at[0]);

	if (!a)
		return NULL;
	a->ask = ask;
	a->live = live;
	a->root = live ? -1 : fcntl(root, F_DUPFD_CLOEXEC, 0);
	a->size = size;
	return a;
}

int askings_add(struct askings *a, const struct mount *m)
{
	char *point = a->n < a->size ? strdup(m->point) : NULL;

	if (!point)
		return -ENOMEM;
	a->at[a->n++] = (struct asking){ .point = point, .major = m->major, .minor = m->minor, .result = 1 };
	return 0;
}

void askings_run(void *askings)
{
	struct askings *a = askings;

	for (size_t i = 0; i < a->n; i++) {
		struct asking *to = &a->at[i];

		atomic_store(&a->current, i);
		to->result = a->ask(&to->space, a->live, a->root, to->point, to->major, to->minor);
	}
}

size_t askings_current(const struct askings *a)
{
	return atomic_load(&a->current);
}

void askings_free(struct askings *a)
{
	if (!a)
		return;
	close_p(&a->root);
	for (size_t i = 0; i < a->n; i++)
		free(a->at[i].point);
	free(a);
}
