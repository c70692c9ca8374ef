/*
 * blocks.h - memory for many things of one size, which never move.
 *
 * They come in chunks below the size at which malloc takes whole pages for each, and a chunk is touched only as
 * far as it is used: what was never handed out costs address space and no memory.
 */
#ifndef RT_BLOCKS_H
#define RT_BLOCKS_H

#include "../core/base.h"

struct blocks {
	size_t size;                            /* of one: a multiple of a pointer's; the rest begins as zeros */
	size_t taken;                           /* so many are in use */
	size_t unused;                          /* of the last chunk, never handed out so far */
	void  *free;                            /* given back; each begins with the address of the next */
	void **chunk;
	size_t chunks;
};

void *blocks_take(struct blocks *b);            /* zeros; NULL: out of memory */
void  blocks_give(struct blocks *b, void *block);
void  blocks_release(struct blocks *b);         /* all of them, taken or not; b is as it began */

#endif
