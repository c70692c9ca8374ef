/*
 * record_lines.h - the lines of a run record as text.  docs/reference/record-format.md defines them.
 *
 * Each function of the form record_*_line appends one line with its newline; record_writer.c decides when.  Errors are
 * those of the buffer.  `seconds` count from the start of the run.
 */
#ifndef RT_RECORD_LINES_H
#define RT_RECORD_LINES_H

#include "../core/cloud.h"
#include "../core/host.h"
#include "../core/json_write.h"
#include "../core/outline.h"
#include "../core/program_tree.h"
#include "../core/record_format.h"
#include "../core/regions.h"
#include "../core/run.h"
#include "../core/tree_exit.h"
#include "../options/options.h"
#include "record_identity.h"

enum { RECORD_SECONDS_DECIMALS = 6 };

struct record_exits { uint64_t n; double cpu_seconds; };        /* exits of processes */

/* Sums since the start of the run, shared by its record and feeds. */
struct record_sums {
	const struct aggregate *whole;          /* over all samples, including the newest */
	struct record_exits exits;
	struct outline outline;
};

/* The contents of a row line. */
struct record_row {
	bool   partial;
	double end_seconds;                     /* since the start of the run */
	const struct aggregate *values;
	const struct identity *identities;      /* by table */
	const bool *known;                      /* by metric of the totals: whether it has a column */
	struct record_exits exits;
	bool   exit_columns;
	const struct record_sums *sums;         /* NULL: the row does not contain them */
};

/* A total's name in the record: "cpu.utilization_cores". */
void record_metric_name(char ret[RECORD_NAME_SIZE], const struct metric *m);
/* Two keys of one instant: in seconds since 1970 and for people. */
void record_time(struct json *j, const char *key, const char *utc_key, int64_t wall_ns);
/* Members of an object, for other JSON as well: the metadata and tags of a run; its job; why it failed. */
void record_command(struct json *j, char *const *command, enum record_command how);     /* an array, without a key */
void record_metadata(struct json *j, const struct run *run);
void record_job(struct json *j, const struct job *job);         /* NULL: no member */
void record_reason(struct json *j, const struct run_status *status);    /* no cause: no member */

/* detail: value of the key "detail", NULL: no such key.  fixed: a sample's totals, or NULL. */
void record_header_line(struct buffer *out, const struct run *run, const struct host *host,
			enum record_command command, const char *detail, const struct totals *fixed);
void record_columns_line(struct buffer *out, const bool *known, bool exit_columns);
/* The FIXED metrics and texts of `now` that differ from `reported`; writes nothing if none does. */
void record_fixed_line(struct buffer *out, const struct totals *reported, const struct totals *now);
/* The rows not written yet, of all tables; writes nothing if there are none. */
void record_rows_line(struct buffer *out, struct identity *identities);
void record_row_line(struct buffer *out, const struct record_row *row);
void record_exit_line(struct buffer *out, const struct run *run, const struct tree_exit *e);
void record_region_line(struct buffer *out, const struct run *run, const struct region_event *e);
/* seconds: when it was known. */
void record_cloud_line(struct buffer *out, double seconds, const struct cloud *cloud);
void record_notice_line(struct buffer *out, double seconds, const char *text);
void record_lost_line(struct buffer *out, double seconds, uint64_t lines);
void record_limit_line(struct buffer *out, double seconds, uint64_t bytes);

void record_last_minute_line(struct buffer *out, const struct moment *moments, size_t n);

struct record_counts { uint64_t rows, exits, exits_written, regions_written, regions_unreported; };
/* The keys of one region's totals, without its path. */
void record_region_total(struct json *j, const struct region_total *r);
/* The keys of the end line about regions; none if there were no regions. */
void record_region_totals(struct json *j, const struct region_totals *totals);
/* A member of an object; none if it has no branches. */
void record_program_tree(struct json *j, const struct program_tree *tree);
/* regions, programs, outline: NULL: none. */
struct record_end {
	const struct record_counts *counts;
	const struct region_totals *regions;
	const struct program_tree *programs;
	const struct outline *outline;
};
void record_end_line(struct buffer *out, const struct run *run, const struct run_status *status,
		     const struct aggregate *whole, const struct record_end *end);

#endif
