/*
 * region_attribution.h - what the tree used while each region was open.  Pure.
 *
 * Between two readings of what the tree has used, a region was open all of the time, a part of it, or not at all.
 * Of what the tree used meanwhile it gets all, its part, or nothing.  Where readings are taken as a region begins and
 * ends the first is so; where it comes and goes between two samples the part is a guess, with bounds that hold the
 * truth.
 * Memory is told by programs themselves as well, just then, so it has intervals of its own.
 * Entries that are open beside each other, in whatever threads, are open once.
 */
#ifndef RT_REGION_ATTRIBUTION_H
#define RT_REGION_ATTRIBUTION_H

#include "../core/regions.h"

/*
 * What the tree had used by a moment, some time from from_ns to at_ns: processes are read one after the other.
 * NONE: not known, or not read this time.
 */
struct region_reading {
	int64_t from_ns, at_ns;
	double  rss_bytes;
	double  largest_bytes;                  /* the most that any one process ever had resident */
	size_t  processes;
	double  used[REGION_USES];              /* since whenever; of REGION_RSS_CHANGE: rss_bytes again */
	bool    reported;                           /* by the program: REGION_RSS_CHANGE alone */
};

/* What is read together. */
enum region_series { SERIES_LOOKS, SERIES_MEMORY, SERIES_SAMPLES, REGION_SERIES };
struct region_series_read { int64_t from_ns, at_ns; bool reported; };

struct attribution {
	struct attributed *at;
	size_t n;
	uint16_t *buckets;                      /* number of a path + 1, by the hash of its name */
	struct region_span *spans;              /* since the last reading */
	size_t n_spans, room;
	struct region_reading last;             /* each number when it was last known */
	struct region_series_read read[REGION_SERIES];  /* when that was */
	bool    begun;
};

/* An entry of this path was open then; end_ns: INT64_MAX: it is. */
void attribution_open(struct attribution *a, const char *path, int64_t begin_ns, int64_t end_ns);
/* So much time was spent in entries too short to be told one by one. */
void attribution_short(struct attribution *a, const char *path, int64_t ns);
/* The next reading; the first is the baseline.  All that was open until it was over has been told; more may be. */
void attribution_reading(struct attribution *a, const struct region_reading *now);

/* Into the totals, by path; what nothing is known of becomes NONE. */
void attribution_fill(struct region_totals *to, const struct attribution *a);
void attribution_release(struct attribution *a);

#endif
