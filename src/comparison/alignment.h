/*
 * alignment.h - two recordings of the same time, row by row: the differences between two trackers in the metrics of
 * both.
 *
 * Rows are joined with the nearest in time of the other side, each at most once, if they are at most half an interval
 * (of the longer row) apart.  A side with times in whole seconds (by its first two rows) has truncated them: they are
 * taken as the middle of their second.  Recordings of any length need the same memory: two rows of a side are kept.
 */
#ifndef RT_ALIGNMENT_H
#define RT_ALIGNMENT_H

#include "../core/json_write.h"
#include "../core/metrics.h"
#include "../core/why.h"

struct timed_row { int64_t wall_ns; double interval_seconds; struct totals total; };

/* Returns the next row, in the order of time; false: no more rows. */
struct row_source { bool (*next)(void *from, struct timed_row *ret); void *from; };

/* The values of one metric on both sides, in the joined rows that have it: levels, or amounts per second. */
struct aligned {                                /* n 0: the rest means nothing */
	size_t n;
	double mean[2], spread[2];              /* spread: standard deviation over the rows; NONE if there is only
						   one */
	double least[2], most[2];
	double difference;                      /* mean of the absolute differences */
	double deviation_percent;               /* of the difference, relative to the first side's mean; NONE: that
						   is 0 */
};

struct alignment {
	size_t joined, alone[2];                /* rows */
	bool   whole_seconds[2];
	struct aligned *of;                     /* by metric of TABLE_TOTAL; n is 0 unless both have it */
};

/* Reads both sides to their ends.  -ENOMEM.  Sides without a joined row are not an error: `joined` is 0. */
int  alignment_read(struct alignment *ret, struct row_source a, struct row_source b) must_use;
void alignment_release(struct alignment *a);

/* names: of the sides.  All append; errors are those of the buffer. */
void alignment_text(struct buffer *out, const struct alignment *a, const char *const names[2]);
void alignment_markdown(struct buffer *out, const struct alignment *a, const char *const names[2]);
void alignment_json(struct buffer *out, const struct alignment *a, const char *const names[2]);

/*
 * `resource-tracker compare --align A B`: writes the alignment of both recordings into `out`, by one of the functions
 * above; the paths are the names ("-": stdin).  -errno with a sentence, and nothing is written; -EBADMSG: a recording
 * is broken or empty; -ENODATA: no row is joined.
 */
int alignment_of_paths(struct buffer *out, const char *const paths[2],
		       void (*write)(struct buffer *, const struct alignment *, const char *const names[2]),
		       struct why *why) must_use;

#endif
