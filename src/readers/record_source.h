/* record_source.h - reads lines from a record, or from another file of a tracker. */
#ifndef RT_RECORD_SOURCE_H
#define RT_RECORD_SOURCE_H

#include "../core/scan.h"

/*
 * Lines from a file, or from memory (fd < 0, borrowed).
 *
 * follow: more lines can come after the last one: from a pipe while a process has its other end open, from a file while
 * its writer holds it (output_file.h).  The kernel answers both, so this is right even after the writer was killed, and
 * on a file server if that has locks.  A file that its writer does not hold, or that was truncated, ends at its last
 * byte.
 */
struct record_source {                          /* a caller sets fd, or borrowed, at, len; follow, goes_on */
	int    fd;                              /* the source closes it, unless it is stdin */
	bool   borrowed, ended, follow;
	bool   goes_on;                         /* with follow: more can come, though no writer holds the file */
	char  *at;
	size_t next, len, size;
	uint64_t bytes;                         /* before `at` */
	uint64_t file_bytes;                    /* as it was opened; 0: not known */
	size_t line;                            /* number of the last returned line, from 1 on */
	bool   whole;                           /* it had its newline */
};

/*
 * 1: *ret is a line without its newline, valid until the next call; 0: no more lines, and the file is closed; -errno,
 * such as -EFBIG for a line of more than 16 MiB; -EAGAIN: no whole line yet (see `follow`), else it waits.
 */
int record_source_line(struct record_source *s, struct word *ret) must_use;
/* After -EAGAIN: waits at most timeout_ms (negative: no limit) for more.  For a file it returns after 0.1 s at most. */
void record_source_wait(const struct record_source *s, int timeout_ms);

/* Closes the file (not stdin) and frees its text; borrowed memory is left alone.  To be called once. */
void record_source_release(struct record_source *s);

#endif
