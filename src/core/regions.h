/*
 * regions.h - what the named parts of a program used (include/resource_tracker_regions.h), as plain data.
 * Filled by the recorder, or from a record's end line; read by writers and summary.
 */
#ifndef RT_REGIONS_H
#define RT_REGIONS_H

#include "sample.h"

enum { REGION_PATH_SIZE = 256, REGION_TEXT_SIZE = 80 };

enum region_event_kind { REGION_ENTRY, REGION_MARK, REGION_VALUE };

/* Something that happened at one time in one thread. */
struct region_event {
	enum region_event_kind kind;
	char   path[REGION_PATH_SIZE];          /* names from the outermost on, "train/epoch 7"; "": in none */
	char   text[REGION_TEXT_SIZE];          /* of a mark, or the value's name */
	double value;
	int64_t monotonic_ns;                   /* when: of an entry its begin */
	double seconds, cpu_seconds;            /* of an entry; NONE: not known */
	uint32_t tid;                           /* 0: not known */
	bool   unfinished;                      /* its thread was gone before it ended; seconds: until that was seen */
};

/*
 * What the tree used while a region was open (regions/region_attribution.h), by the name that the record has for it.
 * Those from REGION_AT_SAMPLES on are known at samples alone.
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
 * value: what was read while it was open, and of what was read while it was open for a part of the time, that part;
 * NONE: not known.
 * lower and upper: without that, and with all of it; NONE: not known.
 */
struct region_use { double value, lower, upper; };

/* Nearly all of it was counted between readings at which it was open: no part of it is a share. */
bool region_use_is_exact(const struct region_use *u);

/* All entries of one path.  Times that nobody knows are NONE. */
struct region_total {
	char   path[REGION_PATH_SIZE];
	uint64_t count;                         /* entries whose time is known */
	uint64_t recursed;                      /* entries within themselves: part of the outermost one's time */
	uint64_t unfinished;
	double seconds, shortest_seconds, longest_seconds;      /* of the entries of all threads together */
	double p50_seconds, p95_seconds, p99_seconds;   /* within 6 % */
	double cpu_seconds;                     /* of the threads' own clocks */
	double elapsed_seconds;                 /* in which some entry was open: threads beside each other count once */
	struct region_use use[REGION_USES];     /* of the whole tree */
	double peak_rss_bytes;                  /* of the tree, the highest reading while it was open */
	double rss_rise_bytes;                  /* the most that it rose above what it was at an entry's begin */
};

/*
 * No value where the bounds hold 0, are ten times apart or are not known: a share of what was used beside it can be all
 * there is to it.
 */
void region_total_settle(struct region_total *t);

/* region_total of a run, in the order of their paths. */
struct region_totals {
	struct region_total *at;
	size_t n;
	uint64_t lost;                          /* entries, marks and values not counted anywhere */
	uint64_t untold;                        /* that have no line of their own: entries are in the totals */
};

/* Region i is one of the `most` that took the longest time. */
bool region_among_longest(const struct region_totals *t, size_t i, size_t most);

#endif
