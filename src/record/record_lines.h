/*
 * record_lines.h - the lines of a run record as text.  docs/reference/record-format.md says what they mean.
 *
 * Each function appends one line with its newline.  Which line is due when is record_writer.c.
 */
#ifndef RT_RECORD_LINES_H
#define RT_RECORD_LINES_H

#include "../core/host.h"
#include "../core/json_write.h"
#include "../core/outline.h"
#include "../core/record_format.h"
#include "../core/regions.h"
#include "../core/run.h"
#include "../core/tree_exit.h"
#include "../options/options.h"
#include "record_identity.h"

enum { RECORD_SECONDS_DECIMALS = 6 };

struct record_exits { uint64_t n; double cpu_seconds; };        /* ends of processes */

/* What happened since the start of the run, summed up once for all that is written of it. */
struct record_sums {
	const struct aggregate *whole;          /* of all samples, the newest included */
	struct record_exits exits;
	struct outline outline;
};

/* What a row line is made of. */
struct record_row {
	bool   partial;
	double end_seconds;                     /* since the start of the run */
	const struct aggregate *values;
	const struct identity *identities;      /* by table */
	const bool *known;                      /* by total metric: it has a column */
	struct record_exits exits;
	bool   exit_columns;
	const struct record_sums *sums;         /* NULL: the row says nothing of them */
};

/* A total's name in the record: "cpu.utilization_cores". */
void record_metric_name(char ret[RECORD_NAME_SIZE], const struct metric *m);
/* Two keys of one instant: in seconds since 1970 and for people. */
void record_time(struct json *j, const char *key, const char *utc_key, int64_t wall_ns);
/* The members that tell of a run, and why it ended (none if nothing is to be explained); for other JSON as well. */
void record_metadata(struct json *j, const struct run *run);
void record_job(struct json *j, const struct job *job);         /* no member if NULL */
void record_reason(struct json *j, const struct run_status *status);

/* detail: its word for programs, NULL: none.  fixed: a sample's totals, or NULL. */
void record_header_line(struct buffer *out, const struct run *run, const struct host *host,
			enum record_command command, const char *detail, const struct totals *fixed);
void record_columns_line(struct buffer *out, const bool *known, bool exit_columns);
/* What of `now` is FIXED or a text and stands otherwise in `told`; writes nothing if there is nothing. */
void record_fixed_line(struct buffer *out, const struct totals *reported, const struct totals *now);
/* All rows not told yet; writes nothing if there are none. */
void record_rows_line(struct buffer *out, struct identity *identities);
void record_row_line(struct buffer *out, const struct record_row *row);
void record_exit_line(struct buffer *out, const struct run *run, const struct tree_exit *e);
void record_region_line(struct buffer *out, const struct run *run, const struct region_event *e);
void record_notice_line(struct buffer *out, double seconds, const char *text);
void record_lost_line(struct buffer *out, double seconds, uint64_t lines);
void record_limit_line(struct buffer *out, double seconds, uint64_t bytes);

void record_last_minute_line(struct buffer *out, const struct moment *moments, size_t n);

struct record_counts { uint64_t rows, exits, exits_written, regions_written, regions_untold; };
/* Keys of the end line; none if there were no regions. */
/* One of them, as keys of an object, without its path. */
void record_region_total(struct json *j, const struct region_total *r);
void record_region_totals(struct json *j, const struct region_totals *totals);
/* regions, outline: NULL: none. */
void record_end_line(struct buffer *out, const struct run *run, const struct run_status *status,
		     const struct aggregate *whole, const struct record_counts *counts,
		     const struct region_totals *regions, const struct outline *outline);

#endif
