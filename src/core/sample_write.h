/*
 * sample_write.h - a sample as a line of text: JSON with the Rust peer's names and our additions,
 * or one of three CSV layouts.  Which metric stands under which name is data: layouts.def.
 */
#ifndef RT_SAMPLE_WRITE_H
#define RT_SAMPLE_WRITE_H

#include "buffer.h"
#include "run.h"
#include "sample.h"

enum csv_layout { CSV_SYSTEM, CSV_COMBINED, CSV_PROCESS, CSV_LAYOUTS };

extern const char *const csv_layout_names[CSV_LAYOUTS];

/* Both append one line with its newline. */
void sample_write_json(struct buffer *out, const struct sample *s, const struct run *run);
void sample_write_csv(struct buffer *out, const struct sample *s, const struct run *run, enum csv_layout layout);
void sample_write_csv_header(struct buffer *out, enum csv_layout layout);

#endif
