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
struct record_source {
	int    fd;
	bool   borrowed, ended, follow;
	char  *at;
	size_t next, len, size;
	uint64_t bytes;                         /* before `at` */
	uint64_t file_bytes;                    /* as it was opened; 0: not known */
	size_t line;                            /* number of the last returned line, from 1 on */
	bool   whole;                           /* it had its newline */
};

/*
 * 1: *ret is a line without its newline, valid until the next call; 0: no more lines; -errno, such as -EFBIG for a line
 * that is too long; -EAGAIN: no whole line yet (see `follow`).
 */
int record_source_line(struct record_source *s, struct word *ret) must_use;
/* After -EAGAIN: waits at most timeout_ms (negative: no limit) for more.  For a file it returns after 0.1 s at most. */
void record_source_wait(const struct record_source *s, int timeout_ms);

/* Closes the file (not stdin) and frees its text; borrowed memory is left alone. */
void record_source_release(struct record_source *s);

#endif
