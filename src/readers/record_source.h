/* record_source.h - lines out of a record, or of another file that a tracker left behind. */
#ifndef RT_RECORD_SOURCE_H
#define RT_RECORD_SOURCE_H

#include "../core/scan.h"

/* Lines out of a file, or out of memory (fd < 0, borrowed). */
struct record_source {
	int    fd;
	bool   borrowed, ended;
	char  *at;
	size_t next, len, size;
	uint64_t bytes;                         /* before `at` */
	size_t line;                            /* number of the line last given out */
	bool   whole;                           /* it had its newline */
};

/* 1: *ret is a line without its newline; 0: there is none; -errno. */
int record_source_line(struct record_source *s, struct word *ret) must_use;

/* Closes the file and frees what was read of it; what it borrowed it leaves. */
void record_source_release(struct record_source *s);

#endif
