/* clocks.h - the nodes of a job on one axis of time, although their clocks differ. */
#ifndef RT_CLOCKS_H
#define RT_CLOCKS_H

#include "job_use.h"

/* From here on clocks that differ are more likely than ranks of one launch that started so late. */
#define CLOCKS_APART_SECONDS 60.0

/*
 * Sets job_began and ahead_seconds of the nodes, which have first_start and their ends.  Of ranks that started
 * `together`, an end is common if at least half of the nodes, and two, have their first, median or last end as long
 * after their first start, within a second: that is no matter of clocks.  Of these nodes a clock is ahead (negative:
 * behind) if start and common end differ from the median of theirs by two seconds or more.  Stragglers end later than
 * the others and change nothing of it.  A node without the common end, with a start that differs by
 * CLOCKS_APART_SECONDS or more, is taken to have started with the median node.  -ENOMEM.
 */
int clocks_align(struct node_use *nodes, size_t n, bool together) must_use;

#endif
