/* arena.h - pieces of memory, a malloc for each, that are released all at once. */
#ifndef RT_ARENA_H
#define RT_ARENA_H

#include "base.h"

struct arena { struct arena_block *last; };     /* all zero: empty */

/* Not zeroed, aligned for anything; NULL: out of memory.  It does not move. */
void *arena_take(struct arena *a, size_t size);
/* A copy of n bytes (with n 0 they can be NULL) with a NUL after them; NULL: out of memory. */
char *arena_copy(struct arena *a, const char *bytes, size_t n);
void  arena_release(struct arena *a);           /* a is empty again */

#endif
