/* live.h - shows a run on the terminal until the user leaves. */
#ifndef RT_LIVE_H
#define RT_LIVE_H

#include "screen.h"
#include "target.h"

/* Sets *ret_over in any case: the run had ended by then.  -errno: -EIO if the terminal is gone.  t stays open. */
int live_show(struct target *t, bool *ret_over) must_use;
/* The same of one rank of a job, on a screen that is open; sets *ret_leave: the user leaves, and does not return. */
int live_show_rank(struct screen *s, struct target *t, bool *ret_leave) must_use;

#endif
