/*
 * ranks_map.h - all ranks over the time of their job, as rows of equal intervals for the page of a report.
 */
#ifndef RT_RANKS_MAP_H
#define RT_RANKS_MAP_H

#include "../core/json_write.h"
#include "job_use.h"

/*
 * Writes one object: docs/reference/report-data.md, "map".  Its rows are the ranks in the order of by_node.  bytes:
 * about so much at most: to fit, intervals become longer, up to an eighth of the time, and values coarser.
 */
void ranks_map_json(struct json *j, const struct job_use *use, size_t bytes);

#endif
