/* gzip.h - compresses by gzip. */
#ifndef RT_GZIP_H
#define RT_GZIP_H

#include "../core/buffer.h"

/* Appends the compressed bytes. */
void gzip_write(struct buffer *out, const char *bytes, size_t n);

#endif
