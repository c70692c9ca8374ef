/*
 * alignment.h - two recordings of the same time, row by row: how far two trackers are apart in what both measure.
 *
 * Rows are joined with the nearest in time of the other side, each at most once, if they are no further apart than half
 * an interval (of the longer row).  A side whose times are whole seconds has cut them off: they are taken as the
 * middle of their second.
 */
#ifndef RT_ALIGNMENT_H
#define RT_ALIGNMENT_H

#include "../core/json_write.h"
#include "../core/metrics.h"
#include "../core/why.h"

struct timed_row { int64_t wall_ns; double interval_seconds; struct totals total; };

/* The next row, in the order of time; false: there is none. */
struct row_source { bool (*next)(void *from, struct timed_row *ret); void *from; };

/* What both sides say of one metric, in the rows that were joined and have it: levels, or amounts per second. */
struct aligned {
	size_t n;
	double mean[2], spread[2];              /* spread: standard deviation of the rows; NONE of one row */
	double least[2], most[2];
	double difference;                      /* mean of the absolute differences */
	double deviation_percent;               /* of the difference, from the first side's mean; NONE: that is 0 */
};

struct alignment {
	size_t joined, alone[2];                /* rows */
	bool   whole_seconds[2];
	struct aligned *of;                     /* by metric of TABLE_TOTAL; n is 0 where not both have it */
};

/* -ENOMEM. */
int  alignment_read(struct alignment *ret, struct row_source a, struct row_source b) must_use;
void alignment_release(struct alignment *a);

/* names: what the sides are called. */
void alignment_text(struct buffer *out, const struct alignment *a, const char *const names[2]);
void alignment_markdown(struct buffer *out, const struct alignment *a, const char *const names[2]);
void alignment_json(struct buffer *out, const struct alignment *a, const char *const names[2]);

/* `resource-tracker compare --align A B`: both recordings into out; -errno with a sentence. */
int alignment_of_paths(struct buffer *out, const char *const paths[2],
		       void (*write)(struct buffer *, const struct alignment *, const char *const names[2]),
		       struct why *why) must_use;

#endif
