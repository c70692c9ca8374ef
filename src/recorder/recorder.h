/* recorder.h - runs, attaches or watches, and samples until the end. */
#ifndef RT_RECORDER_H
#define RT_RECORDER_H

#include "../options/options.h"

/*
 * Returns the status to exit with: the command's (its code, 128 + signal, 127, 126), 0 for a watch or
 * an attachment, 125 if nothing could be started, or nothing of a watch or an attachment be written, with a
 * sentence in `why`.  After a command that took but a moment it does not return: it exits with that status.
 */
int recorder_run(const struct options *o, struct why *why);

#endif
