/*
 * line_file.h - the file that RESOURCE_TRACKER_REGIONS names: anybody in the job appends lines, we read them.
 *
 * It is memory of ours behind a path below /proc, which nobody can cut off; what was read is given back, so it grows
 * by what is written between two samples.
 */
#ifndef RT_LINE_FILE_H
#define RT_LINE_FILE_H

#include "lines.h"

struct line_file {
	int fd;                                 /* -1: there is none */
	int watch;                              /* readable: a line came; -1: that is not to be had */
	uint64_t next, lost_bytes;              /* lost: more than the pace allowed */
	bool part;                              /* what comes next is the rest of a line that began in what is lost */
	double lines_per_second;                /* that may be read; 0: no limit */
	double credit;                          /* of lines, at credit_ns */
	int64_t credit_ns;
};

int  line_file_open(struct line_file *f) must_use;      /* -errno: the kernel gives none */
void line_file_close(struct line_file *f);
void line_file_address(char *ret, size_t size, const struct line_file *f);
/* The next line makes `watch` readable, once. */
void line_file_watch(struct line_file *f);
bool line_file_changed(struct line_file *f);    /* and forgets it */
/*
 * Takes whole lines, as many as there are up to a bound.  last: also a line without its newline.  What is more than the
 * pace with its credit is left out and counted: late lines would have wrong times, and a flood of them costs a core.
 */
void line_file_read(struct line_file *f, struct region_lines *to, bool last);

#endif
