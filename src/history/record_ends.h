/* record_ends.h - the first and the last lines of a record: what is known of a run that is over, without its rows. */
#ifndef RT_RECORD_ENDS_H
#define RT_RECORD_ENDS_H

#include "../core/buffer.h"

/*
 * Appends the header line, the last minute and the regions if there are any, and the end line of the record behind fd,
 * without its rows.  1; 0 if the last line is no end line, or if header or end are beyond 1 MiB; -errno.
 */
int record_ends(struct buffer *out, int fd) must_use;

#endif
