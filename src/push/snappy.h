/*
 * snappy.h - compresses by Snappy's block format, which Prometheus requires.
 * https://github.com/google/snappy/blob/main/format_description.txt
 */
#ifndef RT_SNAPPY_H
#define RT_SNAPPY_H

#include "../core/buffer.h"

/* Appends the compressed bytes; n < 2^32. */
void snappy_write(struct buffer *out, const char *bytes, size_t n);

#endif
