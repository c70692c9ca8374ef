/* heap.c - blocks cut off one mapping. */
#include "heap.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "../core/base.h"

enum {
	UNIT = 16,
	CLASSES = 4 + 4 * 11,                   /* 16, 32, 48, 64, then four to each doubling, up to LARGE */
	LARGE = 128 * 1024,
	REGION = 1024 * 1024,                   /* what is cut from; pages never written to cost nothing */
};

/* What stands before a block. */
struct header {
	uint32_t state;                         /* TAKEN, FREE, MAPPED or ALIGNED; overwritten, it is none of them */
	uint32_t class;
	size_t bytes;                           /* MAPPED: of the mapping; ALIGNED: back to its block */
};

_Static_assert(sizeof(struct header) == UNIT, "blocks are aligned");

enum { TAKEN = 0x7a4b3c01, FREE, MAPPED, ALIGNED };

struct spare { struct spare *next; };

static struct {
	pthread_mutex_t lock;
	char *at, *end;
	struct spare *spare[CLASSES];
} heap = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct header *header_of(const void *block)
{
	return (struct header *)((uintptr_t)block - UNIT);
}

static size_t class_bytes(size_t class)
{
	return class < 4 ? (class + 1) * UNIT : (5 + (class - 4) % 4) * UNIT << (class - 4) / 4;
}

/* The smallest that holds n, for n up to LARGE. */
static size_t class_of(size_t n)
{
	size_t units = n > 0 ? (n + UNIT - 1) / UNIT : 1;

	if (units <= 4)
		return units - 1;

	/* units - 1 in 4 << step ... (8 << step) - 1 */
	size_t step = (size_t)(63 - __builtin_clzll(units - 1)) - 2;

	return 4 + 4 * step + ((units - 1) >> step) - 4;
}

static void *map(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

static void *take_mapped(size_t n)
{
	size_t bytes = n + UNIT;
	struct header *h = bytes > n && n <= PTRDIFF_MAX - UNIT ? map(bytes) : NULL;

	if (!h) {
		errno = ENOMEM;
		return NULL;
	}
	*h = (struct header){ .state = MAPPED, .bytes = bytes };
	return h + 1;
}

/* Off the region; what is left of one that is too small for a block is not used. */
static struct header *cut(size_t bytes)
{
	if ((size_t)(heap.end - heap.at) < bytes) {
		char *region = map(REGION);

		if (!region)
			return NULL;
		heap.at = region;
		heap.end = region + REGION;
	}

	struct header *h = (void *)heap.at;

	heap.at += bytes;
	return h;
}

void *heap_take(size_t n, _Bool clear)
{
	if (n > LARGE)
		return take_mapped(n);

	size_t class = class_of(n);
	int error = errno;

	(void)pthread_mutex_lock(&heap.lock);
	struct spare *again = heap.spare[class];
	struct header *h = again ? header_of(again) : cut(UNIT + class_bytes(class));

	if (again)
		heap.spare[class] = again->next;
	(void)pthread_mutex_unlock(&heap.lock);
	errno = h ? error : ENOMEM;
	if (!h)
		return NULL;
	if (again && h->state != FREE)
		__builtin_trap();
	*h = (struct header){ .state = TAKEN, .class = (uint32_t)class };
	if (again && clear)                     /* fresh pages are zeros */
		memset(h + 1, 0, n);
	return h + 1;
}

void *heap_take_aligned(size_t alignment, size_t n)
{
	if (alignment <= UNIT)
		return heap_take(n, 0);

	char *block = n <= SIZE_MAX - alignment - UNIT ? heap_take(n + alignment + UNIT, 0) : NULL;

	if (!block) {
		errno = ENOMEM;
		return NULL;
	}

	size_t skip = (0 - (uintptr_t)block) & (alignment - 1);

	if (skip == 0)
		return block;
	/* Both are multiples of UNIT, so there is room for a header. */
	*header_of(block + skip) = (struct header){ .state = ALIGNED, .bytes = skip };
	return block + skip;
}

size_t heap_size(const void *block)
{
	const struct header *h = header_of(block);

	switch (h->state) {
	case TAKEN: return class_bytes(h->class);
	case MAPPED: return h->bytes - UNIT;
	case ALIGNED: return heap_size((const char *)block - h->bytes) - h->bytes;
	default: __builtin_trap();
	}
}

static void give_small(void *block)
{
	struct header *h = header_of(block);
	struct spare *spare = block;

	h->state = FREE;
	(void)pthread_mutex_lock(&heap.lock);
	spare->next = heap.spare[h->class];
	heap.spare[h->class] = spare;
	(void)pthread_mutex_unlock(&heap.lock);
}

void heap_give(void *block)
{
	struct header *h = block ? header_of(block) : NULL;
	int error = errno;

	if (!h)
		return;
	if (h->state == ALIGNED)
		heap_give((char *)block - h->bytes);
	else if (h->state == MAPPED)
		(void)munmap(h, h->bytes);
	else if (h->state == TAKEN && h->class < CLASSES)
		give_small(block);
	else
		__builtin_trap();
	errno = error;
}

/* A mapping moves without being copied. */
static void *resize_mapped(struct header *h, size_t n)
{
	struct header *moved = n <= PTRDIFF_MAX - UNIT ? mremap(h, h->bytes, n + UNIT, MREMAP_MAYMOVE) : MAP_FAILED;

	if (moved == MAP_FAILED) {
		errno = ENOMEM;
		return NULL;
	}
	moved->bytes = n + UNIT;
	return moved + 1;
}

void *heap_resize(void *block, size_t n)
{
	if (!block)
		return heap_take(n, 0);

	struct header *h = header_of(block);
	size_t size = heap_size(block);

	if (h->state == MAPPED && n > LARGE)
		return resize_mapped(h, n);
	if (n <= size && n > size / 2)
		return block;

	void *moved = heap_take(n, 0);

	if (!moved)
		return NULL;
	memcpy(moved, block, size_min(n, size));
	heap_give(block);
	return moved;
}
