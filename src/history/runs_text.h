/* runs_text.h - all known facts of one past run, as text: a line for each, appended. */
#ifndef RT_RUNS_TEXT_H
#define RT_RUNS_TEXT_H

#include "../core/buffer.h"
#include "../text/page.h"
#include "past_run.h"

void runs_card(struct buffer *out, const struct past_run *run, const struct summary_style *style);

#endif
