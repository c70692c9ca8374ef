/* malloc.c - the C library's names for the heap. */
#include <stdint.h>
#include <stdlib.h>

#include "../core/base.h"
#include "heap.h"

void *malloc(size_t n)
{
	return heap_take(n, 0);
}

void *calloc(size_t n, size_t each)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, each, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return heap_take(bytes, 1);
}

void *realloc(void *block, size_t n)
{
	return heap_resize(block, n);
}

void *aligned_alloc(size_t alignment, size_t n)
{
	return heap_take_aligned(alignment, n);
}

void free(void *block)
{
	heap_give(block);
}
