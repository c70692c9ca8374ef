/*
 * attempts.h - a job that was started again under its name: only the last attempt counts.
 */
#ifndef RT_ATTEMPTS_H
#define RT_ATTEMPTS_H

#include "rank.h"

/*
 * ranks: all of one launch, by number, of one number the newest first.  Those of earlier attempts get ROLE_EARLIER: by
 * the scheduler's count of restarts; else each but the newest of its number, and each that had ended on its node before
 * such a newest one began there, as it cannot have run beside it.  -ENOMEM.
 */
int attempts_set_aside(struct rank *ranks, size_t n) must_use;

#endif
