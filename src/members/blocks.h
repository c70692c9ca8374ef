/*
 * blocks.h - memory for many objects of one size, which never move.
 *
 * Chunks are smaller than the size at which malloc takes whole pages for each.  A chunk is touched only as far as it is
 * used: objects that were never taken cost address space and no memory.
 */
#ifndef RT_BLOCKS_H
#define RT_BLOCKS_H

#include "../core/base.h"

struct blocks {
	size_t size;                            /* of one object: a multiple of a pointer's, at most 28 KiB; other
						   fields begin as 0 */
	size_t taken;                           /* objects in use */
	size_t unused;                          /* objects of the last chunk that were never taken */
	void  *free;                            /* released objects; each begins with the address of the next */
	void **chunk;
	size_t chunks;
};

void *blocks_take(struct blocks *b);            /* zeros; NULL: out of memory */
void  blocks_give(struct blocks *b, void *block);
void  blocks_release(struct blocks *b);         /* all objects, taken or not; b is as at its beginning */

#endif
