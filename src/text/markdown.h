/* markdown.h - escapes external text for GitHub's Markdown, so that none of it is markup. */
#ifndef RT_MARKDOWN_H
#define RT_MARKDOWN_H

#include "../core/buffer.h"

/* Both append, with one character for each that cannot be shown. */
void markdown_code(struct buffer *out, const char *text, size_t n);     /* a code span; not for a cell of a table */
void markdown_plain(struct buffer *out, const char *text);

#endif
