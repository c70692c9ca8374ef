/*
 * status.h - one line about a run in the last row of the terminal of stderr, while the job has the rest of it.
 *
 * The recorder starts this program beside the job (--status), with a feed as stdin, in a process group of its own; the
 * end of the feed ends it, also if the recorder was killed.  Before the recorder stops (^Z) it sends SIGTSTP, and waits
 * until this program is stopped: then the row is given back; SIGCONT takes it again.
 */
#ifndef RT_STATUS_H
#define RT_STATUS_H

#include "../core/why.h"

/* Returns when the run is over.  -errno with a sentence. */
int status_show(struct why *why) must_use;

#endif
