/* blocks.c - memory for many things of one size, which never move. */
#include "blocks.h"

#include <string.h>

enum { CHUNK_BYTES = 28 * 1024 };

static bool grow(struct blocks *b)
{
	void **chunk = realloc(b->chunk, (b->chunks + 1) * sizeof *chunk);

	if (!chunk)
		return false;
	b->chunk = chunk;

	void *fresh = malloc(CHUNK_BYTES / b->size * b->size);

	if (!fresh)
		return false;
	b->chunk[b->chunks++] = fresh;
	b->unused = CHUNK_BYTES / b->size;
	return true;
}

void *blocks_take(struct blocks *b)
{
	char *block = b->free;

	if (block) {
		memcpy(&b->free, block, sizeof b->free);
	} else {
		if (b->unused == 0 && !grow(b))
			return NULL;
		block = (char *)b->chunk[b->chunks - 1] + (CHUNK_BYTES / b->size - b->unused--) * b->size;
	}
	b->taken++;
	return memset(block, 0, b->size);
}

void blocks_give(struct blocks *b, void *block)
{
	memcpy(block, &b->free, sizeof b->free);
	b->free = block;
	b->taken--;
}

void blocks_release(struct blocks *b)
{
	for (size_t i = 0; i < b->chunks; i++)
		free(b->chunk[i]);
	free(b->chunk);
	*b = (struct blocks){ .size = b->size };
}
