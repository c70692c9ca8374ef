/* record_ends.h - the first and last lines of a record: the facts of a finished run, without its rows. */
#ifndef RT_RECORD_ENDS_H
#define RT_RECORD_ENDS_H

#include "../core/buffer.h"

/*
 * Appends the header line, the last minute and the regions if there are any, and the end line of the record behind
 * fd, without its rows.  Returns 1; 0 if the last line is not an end line, or if header or end are larger than 1 MiB;
 * -errno.  Without 1, what was appended means nothing.  fd: a regular file, which stays open; its offset is not used.
 */
int record_ends(struct buffer *out, int fd) must_use;

#endif
