/*
 * collision.h - rejects options that name the same file twice: a file that a run writes must have no other use in it.
 */
#ifndef RT_COLLISION_H
#define RT_COLLISION_H

#include "../options/options.h"

/* Call it before any file is opened.  -EINVAL with a sentence that names both uses. */
int collision_check(const struct options *o, struct why *why) must_use;

#endif
