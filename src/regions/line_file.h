/*
 * line_file.h - the file that RESOURCE_TRACKER_REGIONS names: processes of the job append lines, the recorder reads
 * them.
 *
 * It is a memfd of the recorder behind a path below /proc, sealed so that no process can truncate it.  Memory of lines
 * that were read is freed, so the file holds only the lines since the last sample.
 */
#ifndef RT_LINE_FILE_H
#define RT_LINE_FILE_H

#include "lines.h"

struct line_file {
	int fd;                                 /* -1: not open */
	int watch;                              /* readable when a line was written; -1: no inotify */
	uint64_t next, lost_bytes;              /* offset of the next line; bytes skipped, beyond the pace */
	bool part;                              /* at `next` is the rest of a line that began in skipped bytes */
	double lines_per_second;                /* the pace at which lines are read; 0: no limit */
	double credit;                          /* lines that could be read at credit_ns */
	int64_t credit_ns;
};

/* Sets all of *f; the caller then sets the pace.  -errno of memfd_create or fcntl; then nothing is open. */
int  line_file_open(struct line_file *f) must_use;
void line_file_close(struct line_file *f);              /* what is not open stays so, here and below */
/* Writes "/proc/PID/fd/N", for the command's environment. */
void line_file_address(char *ret, size_t size, const struct line_file *f);
/* The next line makes `watch` readable, once. */
void line_file_watch(struct line_file *f);
/* Whether `watch` was readable; clears that. */
bool line_file_changed(struct line_file *f);
/*
 * Passes whole lines to `to`, up to a number of bytes per call.  last: also a last line without its newline.  Lines
 * beyond the pace and its credit are skipped and counted: read late they would get wrong times, and reading a flood of
 * them would cost a core.
 */
void line_file_read(struct line_file *f, struct region_lines *to, bool last);

#endif
