/* collision.h - one file asked for twice: what a run writes is nothing that it writes or needs otherwise. */
#ifndef RT_COLLISION_H
#define RT_COLLISION_H

#include "../options/options.h"

/* Before anything is opened.  -EINVAL with a sentence that names both uses. */
int collision_check(const struct options *o, struct why *why) must_use;

#endif
