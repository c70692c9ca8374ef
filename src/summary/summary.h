/*
 * summary.h - the end summary, printed after a run.
 */
#ifndef RT_SUMMARY_H
#define RT_SUMMARY_H

#include "../core/buffer.h"
#include "../text/page.h"
#include "summary_facts.h"

/* The style for the terminal behind fd and the environment: NO_COLOR, TERM=dumb, COLUMNS, LC_ALL/LC_CTYPE/LANG. */
struct summary_style summary_style(int fd);
/* Appends it; errors are those of the buffer. */
void summary_write(struct buffer *out, const struct summary *s, const struct summary_style *style);

#endif
