/*
 * sample_write.h - a sample as a line of text: JSON with the Rust peer's names and our additions, or one of three CSV
 * layouts.  The names of metrics are data: layouts.def.
 */
#ifndef RT_SAMPLE_WRITE_H
#define RT_SAMPLE_WRITE_H

#include "buffer.h"
#include "run.h"
#include "sample.h"

enum csv_layout { CSV_SYSTEM, CSV_COMBINED, CSV_PROCESS, CSV_LAYOUTS };

extern const char *const csv_layout_names[CSV_LAYOUTS];

/*
 * The keys of a JSON line, spelled and sorted once.  It does not change after open: several threads can write with
 * one writer, each into its own buffer.
 */
struct sample_writer;

int  sample_writer_open(struct sample_writer **ret) must_use;   /* -ENOMEM */
void sample_writer_close(struct sample_writer *w);              /* NULL is fine */

/*
 * All append one line with its newline; errors are those of the buffer.  They use the run's tracked pids (without any,
 * the process columns are empty), its job's name and its configured interval (for the decimals of timestamps).
 */
void sample_write_json(const struct sample_writer *w, struct buffer *out, const struct sample *s,
		       const struct run *run);
void sample_write_csv(struct buffer *out, const struct sample *s, const struct run *run, enum csv_layout layout);
void sample_write_csv_header(struct buffer *out, enum csv_layout layout);

#endif
