/* arena.c - memory that is released all at once. */
#include "arena.h"

#include <string.h>

struct arena_block {
	struct arena_block *before;
	max_align_t at[];
};

void *arena_take(struct arena *a, size_t size)
{
	struct arena_block *block = malloc(sizeof *block + size);

	if (!block)
		return NULL;
	block->before = a->last;
	a->last = block;
	return block->at;
}

char *arena_copy(struct arena *a, const char *bytes, size_t n)
{
	char *copy = arena_take(a, n + 1);

	if (copy) {
		if (n > 0)                              /* bytes may be NULL then */
			memcpy(copy, bytes, n);
		copy[n] = '\0';
	}
	return copy;
}

void arena_release(struct arena *a)
{
	while (a->last) {
		struct arena_block *before = a->last->before;

		free(a->last);
		a->last = before;
	}
}
