/* spread_text.h - how the ranks of a job differ, as lines of text: one for each quantity. */
#ifndef RT_SPREAD_TEXT_H
#define RT_SPREAD_TEXT_H

#include "../summary/summary_parts.h"
#include "ranks_view.h"

void spreads_text(struct page *p, struct phrase *w, const struct ranks_view *v);

#endif
