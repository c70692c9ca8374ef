/* rss_peak.h - the most resident memory that a tree is known to have had: in a sample, or between two. */
#ifndef RT_RSS_PEAK_H
#define RT_RSS_PEAK_H

#include "../core/aggregate.h"
#include "../core/run.h"

struct rss_peak {
	double bytes;                           /* at least so much at some time; NONE: not known */
	double largest_bytes;                   /* of any one process at any time, as the kernel keeps it */
	const char *program;                    /* of that process; "": nobody saw it */
	bool between;                           /* more than the whole tree had in any sample, if there was one */
	bool incomplete;                        /* processes ended whose peak is not known */
	bool moment;                            /* `between`, and seen by a look at the tree, not in one process */
};

/* moments: the last minute of a run that failed, which was looked at more often than sampled. */
struct rss_peak rss_peak_of(const struct aggregate *whole, const struct moment *moments, size_t n_moments);

#endif
