/* ranks_view.h - a job over all its ranks, for people and programs. */
#ifndef RT_RANKS_VIEW_H
#define RT_RANKS_VIEW_H

#include "../core/json_write.h"
#include "../text/page.h"
#include "region_spread.h"

struct ranks_view {
	struct ranks ranks;
	struct job_use use;
	struct spread spread[SPREAD_COUNT];
	struct straggler *stragglers;
	size_t n_stragglers;
	struct region_spread *regions;
	size_t n_regions;
};

/* Takes over the ranks, also if it fails: -ENOMEM. */
int  ranks_view_open(struct ranks_view *ret, struct ranks *ranks) must_use;
void ranks_view_close(struct ranks_view *v);

void ranks_text(struct buffer *out, const struct ranks_view *v, const struct summary_style *style);
/* Writes a sentence on the memory and CPU time of its ranks: most, 95 %, imbalance. */
void ranks_differ(char *ret, size_t size, const struct ranks_view *v);
/* Writes one object and a newline. */
void ranks_json(struct buffer *out, const struct ranks_view *v);
/* Writes members of it into an object, lists in them with at most so many items: all but nodes and ranks. */
void ranks_json_members(struct json *j, const struct ranks_view *v, size_t most);

#endif
