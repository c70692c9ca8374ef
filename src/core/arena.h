/* arena.h - memory that is allocated piece by piece and released all at once. */
#ifndef RT_ARENA_H
#define RT_ARENA_H

#include "base.h"

struct arena { struct arena_block *last; };     /* all zero: empty */

void *arena_take(struct arena *a, size_t size); /* aligned for anything; NULL: out of memory */
/* A copy of n bytes with a NUL after them; NULL: out of memory. */
char *arena_copy(struct arena *a, const char *bytes, size_t n);
void  arena_release(struct arena *a);

#endif
