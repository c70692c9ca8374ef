/* runs_text.h - past runs as text. */
#ifndef RT_RUNS_TEXT_H
#define RT_RUNS_TEXT_H

#include "../core/buffer.h"
#include "../text/page.h"
#include "past_run.h"

/* A table, one run a line in the given order; columns: its width, 0: unlimited. */
void runs_table(struct buffer *out, const struct past_run *const *runs, size_t n, unsigned columns, bool utf8);
/* All facts of one run. */
void runs_card(struct buffer *out, const struct past_run *run, const struct summary_style *style);

#endif
