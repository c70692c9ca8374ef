/*
 * rss_peak.h - the highest known resident memory of a tree: in a sample, or between two.  Pure; `program` points into
 * the aggregate.
 */
#ifndef RT_RSS_PEAK_H
#define RT_RSS_PEAK_H

#include "../core/aggregate.h"
#include "../core/run.h"

struct rss_peak {
	double bytes;                           /* a lower bound of the peak; NONE: unknown */
	double largest_bytes;                   /* the highest of any one process, as the kernel counts it */
	const char *program;                    /* of that process; "": unknown */
	bool between;                           /* higher than the whole tree in any sample */
	bool incomplete;                        /* some processes ended with unknown peaks */
	bool moment;                            /* `between`, and seen by a poll of the tree, not in one process */
};

/* moments: the last minute of a run that failed, polled more often than sampled. */
struct rss_peak rss_peak_of(const struct aggregate *whole, const struct moment *moments, size_t n_moments);

#endif
