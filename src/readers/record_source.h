/* record_source.h - lines out of a record, or of another file that a tracker left behind. */
#ifndef RT_RECORD_SOURCE_H
#define RT_RECORD_SOURCE_H

#include "../core/scan.h"

/*
 * Lines out of a file, or out of memory (fd < 0, borrowed).
 *
 * follow: at the end of what there is so far, more may come: from a pipe as long as somebody has its other end, from a
 * file as long as its writer holds it (output_file.h).  That is asked of the kernel, so it is right also after the
 * writer was killed, and on a file server as far as that has locks; a file whose writer does not hold it, or that is
 * written anew, has its end where it stands.
 */
struct record_source {
	int    fd;
	bool   borrowed, ended, follow;
	char  *at;
	size_t next, len, size;
	uint64_t bytes;                         /* before `at` */
	size_t line;                            /* number of the line last given out */
	bool   whole;                           /* it had its newline */
};

/* 1: *ret is a line without its newline; 0: there is none; -errno, -EAGAIN: no whole one yet, see `follow`. */
int record_source_line(struct record_source *s, struct word *ret) must_use;
/* After -EAGAIN: until something may have come, at most so long; a file is looked at ten times a second. */
void record_source_wait(const struct record_source *s, int timeout_ms);

/* Closes the file and frees what was read of it; what it borrowed it leaves. */
void record_source_release(struct record_source *s);

#endif
