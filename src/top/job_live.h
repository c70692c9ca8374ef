/* job_live.h - shows all ranks of a job on the terminal until the user leaves. */
#ifndef RT_JOB_LIVE_H
#define RT_JOB_LIVE_H

#include "../history/selection.h"

/* folder: of their records.  -errno with a sentence, but for -EIO: the terminal is gone. */
int job_live_show(const char *folder, const struct selection *selection, struct why *why) must_use;

#endif
