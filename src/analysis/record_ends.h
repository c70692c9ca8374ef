/* record_ends.h - the first and the last line of a record: what is known of a run that is over, without its rows. */
#ifndef RT_RECORD_ENDS_H
#define RT_RECORD_ENDS_H

#include "../core/buffer.h"

/*
 * Appends the header line and the end line of the record behind fd, whatever is between them.
 * 1; 0 if the last line is no end line, or if either is beyond 1 MiB; -errno.
 */
int record_ends(struct buffer *out, int fd) must_use;

#endif
