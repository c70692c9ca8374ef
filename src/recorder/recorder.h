/* recorder.h - runs a command, attaches or watches, and takes samples until the end. */
#ifndef RT_RECORDER_H
#define RT_RECORDER_H

#include "../options/options.h"

/*
 * Returns the exit status: that of the command (its code, or 128 + signal; 127 or 126 if exec failed), 0 for a watch or
 * an attachment, 125 if nothing could be started or if a watch or an attachment could write nothing.  With 125, 126 and
 * 127 of its own `why` has a sentence.  After a command of less than two milliseconds it does not return, but exits
 * with that status.
 */
int recorder_run(const struct options *o, struct why *why);

#endif
