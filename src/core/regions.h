/*
 * regions.h - the use of the named parts of a program (include/resource_tracker_regions.h), as plain data.  Filled by
 * the recorder, or from a record's end line; read by writers and summary.
 */
#ifndef RT_REGIONS_H
#define RT_REGIONS_H

#include "sample.h"

enum { REGION_PATH_SIZE = 256, REGION_TEXT_SIZE = 80 };

enum region_event_kind { REGION_ENTRY, REGION_MARK, REGION_VALUE };

/* An event of one thread. */
struct region_event {
	enum region_event_kind kind;
	char   path[REGION_PATH_SIZE];          /* names from the outermost on, "train/epoch 7"; "": outside of all */
	char   text[REGION_TEXT_SIZE];          /* of a mark, or the value's name */
	double value;
	int64_t monotonic_ns;                   /* the time; of an entry, its begin */
	double seconds, cpu_seconds;            /* of an entry; NONE: unknown */
	uint32_t tid;                           /* 0: unknown */
	bool   unfinished;                      /* its thread exited before it ended; seconds: until that was noticed */
};

/*
 * The tree's use while a region was open (regions/region_attribution.h), by its name in the record.  Uses from
 * REGION_AT_SAMPLES on are known at samples only.
 */
#define REGION_USES(X) \
	X(TREE_CPU, tree_cpu_seconds) X(RSS_CHANGE, rss_change_bytes) X(DISK_READ, disk_read_bytes) \
	X(DISK_WRITE, disk_write_bytes) X(NET_RECV, net_recv_bytes) X(NET_SENT, net_sent_bytes) X(GPU, gpu_seconds)

enum {
#define REGION_USE_NUMBER(NAME, name) REGION_##NAME,
	REGION_USES(REGION_USE_NUMBER)
#undef REGION_USE_NUMBER
	REGION_USES, REGION_AT_SAMPLES = REGION_NET_RECV,
};

extern const char *const region_use_names[REGION_USES];

/*
 * value: the use between readings at which it was open, and a share by time of intervals in which it was open for a
 * part.  lower and upper: without these intervals, and with all of their use.  NONE: unknown.
 */
struct region_use { double value, lower, upper; };

/* The distance of its bounds is at most 2 % of the larger: it contains no share.  false: unknown. */
bool region_use_is_exact(const struct region_use *u);

/* All entries of one path.  Unknown times are NONE. */
struct region_total {
	char   path[REGION_PATH_SIZE];
	uint64_t count;                         /* entries with a known time */
	uint64_t recursed;                      /* entries within themselves: part of the outermost one's time */
	uint64_t unfinished;
	double seconds, shortest_seconds, longest_seconds;      /* of the entries of all threads together */
	double p50_seconds, p95_seconds, p99_seconds;   /* within 6 % */
	double cpu_seconds;                     /* of the threads' own clocks */
	double elapsed_seconds;                 /* time with an open entry: threads in parallel count once */
	struct region_use use[REGION_USES];     /* of the whole tree */
	double peak_rss_bytes;                  /* of the tree, the highest reading while it was open */
	double rss_rise_bytes;                  /* its largest rise above its value at an entry's begin */
};

/*
 * Sets the value of each use to NONE if its bounds contain 0 without being exact, are more than ten times apart or are
 * unknown: it can then consist only of a share of the use of others.  The bounds stay.
 */
void region_total_settle(struct region_total *t);

/* The region totals of a run, sorted by path.  `at` belongs to what filled it. */
struct region_totals {
	struct region_total *at;
	size_t n;
	uint64_t lost;                          /* entries, marks and values not counted anywhere */
	uint64_t unreported;                        /* those without a line of their own: entries are in the totals */
};

/* Whether region i is one of the `most` with the longest `seconds`, NONE as 0; of equal ones the earlier. */
bool region_among_longest(const struct region_totals *t, size_t i, size_t most);

#endif
