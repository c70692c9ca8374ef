/* gzip.h - compresses by gzip. */
#ifndef RT_GZIP_H
#define RT_GZIP_H

#include "../core/buffer.h"

/* Appends the compressed bytes. */
void gzip_write(struct buffer *out, const char *bytes, size_t n);

/* Appends what was compressed, at most `most` bytes.  -EBADMSG: it is not gzip; -EFBIG; -ENOMEM. */
int gzip_read(struct buffer *out, const char *bytes, size_t n, size_t most) must_use;

#endif
