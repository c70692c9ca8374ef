/*
 * record_tail.h - the newest lines of a record that grows, where there are a thousand of them to look at.
 *
 * Of a file only the first line, the columns and the last bytes are read, however long it is.  It is only read: no lock
 * is taken or asked for, so it can lie on any file server.
 */
#ifndef RT_RECORD_TAIL_H
#define RT_RECORD_TAIL_H

#include <sys/types.h>

#include "../core/buffer.h"

struct record_tail {                            /* zeroed at first */
	struct buffer head;                     /* the header, and the columns of the line at `next`, as lines */
	size_t header;                          /* bytes of the former; 0: it was not written so far */
	off_t  next;                            /* where the lines begin that were not read */
};

/*
 * Reads what is new in the file behind fd, whose offset is not used: whole lines, of more than 64 KiB the last ones.
 * Appends them to `out`, after the header and the columns of their rows: a record for record_reader_of, at the first
 * time also of the header alone.  A file that was written anew begins again, with another header.  *ret_end: the last
 * line is the end, or can be one: it is too long to be sure.  1; 0: nothing is new, or no line is whole, or the columns
 * of its rows are not found; -EBADMSG: the first line is larger than 1 MiB; -errno.
 */
int  record_tail_read(struct record_tail *t, struct buffer *out, bool *ret_end, int fd) must_use;
void record_tail_release(struct record_tail *t);        /* leaves it zeroed */

#endif
