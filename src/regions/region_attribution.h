/*
 * region_attribution.h - the use of the tree while each region was open.  Pure.
 *
 * Between two readings of the tree's use, a region was open all of the time, a part of it, or not at all.  It gets all
 * of the tree's use in that interval, the same part of it, or nothing.  All or nothing if readings are taken as the
 * region begins and ends.  If it begins or ends between two samples, its part is an estimate, with bounds that contain
 * the true value.
 * Programs also report their own memory as a region begins or ends, so memory has intervals of its own.
 * Entries of one path that overlap, in any threads, count as open once.
 *
 * A struct attribution is zeroed at first.  Times are ns of CLOCK_MONOTONIC.  Paths beyond REGION_PATHS_MAX, or without
 * memory, are left out: their uses are NONE.
 */
#ifndef RT_REGION_ATTRIBUTION_H
#define RT_REGION_ATTRIBUTION_H

#include "../core/regions.h"

/*
 * The tree's use up to a moment between from_ns and at_ns: processes are read one after the other, so the moment is not
 * exact.  NONE: unknown, or not read this time.
 */
struct region_reading {
	int64_t from_ns, at_ns;
	double  rss_bytes;
	double  largest_bytes;                  /* the largest resident size of any one process so far */
	size_t  processes;
	double  used[REGION_USES];              /* since any fixed moment; of REGION_RSS_CHANGE: rss_bytes again */
	bool    reported;                       /* by the program, and only REGION_RSS_CHANGE is known */
};

/* Uses of one series are read together. */
enum region_series { SERIES_LOOKS, SERIES_MEMORY, SERIES_SAMPLES, REGION_SERIES };
struct region_series_read { int64_t from_ns, at_ns; bool reported; };

struct attribution {
	struct attributed *at;
	size_t n;
	uint16_t *buckets;                      /* hash table: index of a path in `at`, plus 1; 0: empty */
	struct region_span *spans;              /* since the last reading */
	size_t n_spans, room;
	struct region_reading last;             /* the last known value of each number */
	struct region_series_read read[REGION_SERIES];  /* when each series was last read */
	bool    begun;
};

/* An entry of this path was open from begin_ns to end_ns; INT64_MAX: it is still open.  The path is copied. */
void attribution_open(struct attribution *a, const char *path, int64_t begin_ns, int64_t end_ns);
/* Entries too short to be reported one by one took so much time in all. */
void attribution_short(struct attribution *a, const char *path, int64_t ns);
/*
 * The next reading; the first is the baseline.  Before it, report each entry that was open at any time up to the end of
 * the reading; entries can also be reported again.
 */
void attribution_reading(struct attribution *a, const struct region_reading *now);

/* Fills in elapsed time, memory and uses of the paths in `to`; what is unknown becomes NONE. */
void attribution_fill(struct region_totals *to, const struct attribution *a);
void attribution_release(struct attribution *a);

#endif
