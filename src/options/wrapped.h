/* wrapped.h - wraps text to a width, with the following lines indented. */
#ifndef RT_WRAPPED_H
#define RT_WRAPPED_H

#include "../core/buffer.h"

/* Appends.  `at`: columns already taken in this line.  Ends with a newline.  A longer word is not broken. */
void wrapped(struct buffer *out, const char *text, size_t at, size_t indent, size_t columns);
void spaces(struct buffer *out, size_t n);

#endif
