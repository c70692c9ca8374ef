/*
 * detach.h - --detach: the recorder goes on in the background, and the process that was started ends when it measures.
 *
 * The recorder has a session of its own, so no ^C of the terminal reaches it, and it is no child of the process that
 * asked for it: that one waits for its own children only, and their use does not contain ours.
 */
#ifndef RT_DETACH_H
#define RT_DETACH_H

#include "../core/why.h"

/*
 * Forks, while there is no thread.  false: this is the recorder, and *ret_fd is for detach_ready.  true: this is the
 * process that was started, and all is over: it has written the recorder's line to stdout, and *ret_status is what to
 * exit with; `why` has a sentence if the recorder left without one of its own.
 */
bool detach_begin(int *ret_fd, int *ret_status, struct why *why) must_use;

/*
 * It has begun to measure: leaves stdin, stdout and stderr, and lets the other process end with a line: {"pid":N,
 * "environment":{...}}: the recorder's process, and those variables that a command around which we ran would have,
 * which name the record and the regions.  Closes *fd.  -errno with a sentence if that process is gone: it was
 * interrupted, so who asked for the recorder does not know of it, and could never end it.
 */
int  detach_ready(int *fd, struct why *why) must_use;

#endif
