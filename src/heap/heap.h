/*
 * heap.h - memory for a program that mostly lives a millisecond.
 *
 * musl's allocator maps pages anew for every size that is asked for the first time, and writes to both ends of what it
 * gives: 26 mappings and 60 page faults in a run around `true`, a tenth of our time.  This one cuts blocks off one
 * mapping, one after the other, and keeps freed ones for the next of their size; large ones are mapped by themselves.
 * Nothing is ever given back of the small ones: a recorder allocates nothing once it runs.
 *
 * Only the static recorder has it (malloc.c).  Sanitizers and fuzzers watch the same code with an allocator that finds
 * mistakes; of these it notices a block freed twice and an overwritten header, and ends the program.
 */
#ifndef RT_HEAP_H
#define RT_HEAP_H

#include <stddef.h>

/* n bytes, aligned as for any type, all 0 if `clear`.  NULL with ENOMEM.  Any thread. */
void *heap_take(size_t n, _Bool clear);
/* The same at a multiple of `alignment`, a power of two. */
void *heap_take_aligned(size_t alignment, size_t n);
/* To n bytes, the old ones kept; it may move.  NULL with ENOMEM: it is as it was.  A block of NULL is taken. */
void *heap_resize(void *block, size_t n);
void heap_give(void *block);                    /* NULL is fine */
size_t heap_size(const void *block);            /* as much as may be used of it */

#endif
