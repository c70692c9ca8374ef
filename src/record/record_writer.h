/*
 * record_writer.h - the run record: JSON Lines that stay readable after any crash.
 *
 * The writer turns samples and events into whole lines and passes each to `put`; output.h writes them, one line with
 * one write.  docs/reference/record-format.md defines the format.
 */
#ifndef RT_RECORD_WRITER_H
#define RT_RECORD_WRITER_H

#include "record_lines.h"

struct record_writer;

enum record_detail {
	RECORD_BOUNDED,                         /* of limited size: the longer the run, the coarser its rows */
	RECORD_ALL,                             /* a feed: a row for each sample, lines for all exits and regions, and
						   after each row the sums of its amounts since the start */
};

struct record_options {
	enum record_detail detail;
	enum record_command command;
	const struct record_sums *sums;         /* must outlive the writer; NULL: no outline, only for RECORD_BOUNDED */
	/*
	 * Takes a line with its newline; it handles write errors itself.  needed: later lines mean nothing without this
	 * one, so none of them must be written before it; false: it was not taken, and the writer puts it again.
	 */
	bool (*put)(void *context, const char *line, size_t n, bool needed);
	void *context;
};

/* 0 or -ENOMEM.  Copies run and options; strings that run points to must outlive the writer.  src: for the host. */
int  record_open(struct record_writer **ret, const struct run *run, const struct source *src,
		 const struct record_options *options) must_use;
void record_close(struct record_writer *w);     /* frees; writes nothing.  w can be NULL */
void record_limit(struct record_writer *w, uint64_t bytes);     /* sets the size limit; default 64 MiB */

/*
 * The first sample, the baseline, writes the header with its FIXED metrics; without one, the first of the other calls
 * writes it.  They copy what they are given.  Lines that memory is too short for are left out.
 */
void record_sample(struct record_writer *w, const struct sample *s);
void record_exit(struct record_writer *w, const struct tree_exit *e);
void record_region(struct record_writer *w, const struct region_event *e);
/* Where the machine is, once it is known. */
void record_cloud(struct record_writer *w, const struct cloud *cloud);
void record_notice(struct record_writer *w, const char *text);
/* The last minute of a run that failed, at a finer resolution; writes nothing if n is 0. */
void record_last_minute(struct record_writer *w, const struct moment *moments, size_t n);
/* For the footer; they must stay valid until record_finish. */
void record_regions(struct record_writer *w, const struct region_totals *totals);
void record_programs(struct record_writer *w, const struct program_tree *tree);
/* Writes the current row, and the footer with the totals. */
void record_finish(struct record_writer *w, const struct run_status *status, const struct aggregate *whole);

#endif
