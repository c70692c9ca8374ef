/*
 * resource_tracker_records.h - read what a run left behind: its record (docs/reference/record-format.md).
 *
 *     struct rt_record *record;
 *     if (rt_record_open(&record, "run.jsonl", NULL, 0) == 0) {
 *         while (rt_record_next(record) > 0)                           row by row, in constant memory
 *             printf("%g\n", rt_get(rt_record_tracker(record), "process.rss_bytes"));
 *         rt_record_close(record);
 *     }
 *
 * or all of it at once, as columns of doubles, for what calculates with them:
 *
 *     rt_record_keep(record, "total");
 *     rt_record_read(record);
 *     const struct rt_frame *frame = rt_record_frame(record, "total");
 *     const double *seconds = rt_frame_column(frame, rt_frame_find(frame, "process.cpu_seconds"));
 *     for (size_t i = 0; i < rt_frame_rows(frame); i++) sum += seconds[i];
 *
 * A record may come from anywhere: whatever stands in it, reading it is safe.  What makes no sense is left out, with a
 * sentence in rt_record_info; what is not known is NaN, or "".  A run that still goes on, or was cut off, is read as
 * far as it stands there.  Texts are UTF-8 as far as the record's are.
 *
 * Threads as in resource_tracker.h.  After a fork parent and child share the place in the file: one of them reads on.
 */
#ifndef RESOURCE_TRACKER_RECORDS_H
#define RESOURCE_TRACKER_RECORDS_H

#include "resource_tracker.h"

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"               /* a function named as what it fills, as stat(2) */
#endif
extern "C" {
#endif

struct rt_record;
struct rt_frame;

/* ---- row by row ------------------------------------------------------------------------------ */

/*
 * Reads the header.  path: "-" is standard input.  Sets *ret on success, which rt_record_close takes back.
 * `reason` as for rt_open: -errno the file cannot be read, -EBADMSG it is no record, -EPROTONOSUPPORT a later version
 * wrote it, -ENOMEM.
 */
RT_API int  rt_record_open(struct rt_record **ret, const char *path, char *reason, size_t reason_size);
/* The same from memory, which stays the caller's and must outlive the record. */
RT_API int  rt_record_open_memory(struct rt_record **ret, const void *bytes, size_t size, char *reason,
				  size_t reason_size);
/*
 * The same of a run that goes on: its record, or its feed in a file or pipe.  Waits for the header.  It is over with
 * its last line, or when nothing holds it open for writing any more, also after the recorder was killed.
 */
RT_API int  rt_record_follow(struct rt_record **ret, const char *path, char *reason, size_t reason_size);
RT_API void rt_record_close(struct rt_record *record);  /* NULL is fine */

enum rt_record_item { RT_RECORD_OVER, RT_RECORD_ROW, RT_RECORD_EXIT, RT_RECORD_REGION, RT_RECORD_LATER };

/*
 * Reads on to the next row, end of a process, or thing that the program told of its regions; the end of a process comes
 * before the row that it is part of.  Of a record that is followed RT_RECORD_LATER, at once, where there is no more
 * yet: rt_record_wait then.  RT_RECORD_OVER (0): that was all; -ENOMEM or -EFBIG: a frame (below) cannot hold
 * more, and nothing is kept from then on.
 */
RT_API int rt_record_next(struct rt_record *record);
/* After RT_RECORD_LATER: until more may have come, or so long; below 0: without end. */
RT_API void rt_record_wait(struct rt_record *record, double timeout_seconds);

/*
 * The row as a tracker's sample, for rt_get, rt_value, rt_row_key, rt_row_values, rt_write_json and the like: levels
 * are means over rt_interval_seconds, amounts are sums; counters are NaN.  The record's own: its values are good until
 * the next row, and it must not be closed.
 */
RT_API struct rt_tracker *rt_record_tracker(struct rt_record *record);
/* How many samples the row stands for; 0 before the first. */
RT_API size_t rt_record_samples(const struct rt_record *record);
/* After RT_RECORD_EXIT.  0, or -EINVAL: its size. */
RT_API int    rt_record_exit(const struct rt_record *record, struct rt_exit *ret);

enum rt_record_region_kind { RT_RECORD_ENTRY, RT_RECORD_MARK, RT_RECORD_VALUE };

struct rt_record_region {
	size_t size;                                    /* sizeof(struct rt_record_region), set by the caller */
	enum rt_record_region_kind kind;
	int    unfinished;                              /* its thread was gone before it ended */
	double timestamp_seconds;                       /* Unix time; of an entry its begin */
	double seconds, cpu_seconds;                    /* of an entry; NaN: unknown */
	double value;                                   /* of RT_RECORD_VALUE */
	double tid;                                     /* 0: unknown */
	const char *path;                               /* names from the outermost on, "train/epoch"; "": in none */
	const char *text;                               /* of a mark, or the value's name */
};
/* After RT_RECORD_REGION.  Texts are good until the next call of rt_record_next.  0, or -EINVAL: its size. */
RT_API int rt_record_region(const struct rt_record *record, struct rt_record_region *ret);

/* ---- what is known of the run ------------------------------------------------------------------- */

enum rt_record_status {                                 /* how it ended */
	RT_RECORD_RUNNING,                              /* it goes on, or was cut off */
	RT_RECORD_EXITED, RT_RECORD_SIGNALED, RT_RECORD_ROOTS_ENDED, RT_RECORD_STOPPED
};

/* From the header; what is marked [end] is complete when all has been read. */
struct rt_record_info {
	size_t size;                                    /* sizeof(struct rt_record_info), set by the caller */
	const char *id, *tracker_version;
	const char *host_name, *kernel, *architecture, *cpu_model;      /* "": unknown */
	double cpus, memory_bytes;
	double start_seconds;                           /* Unix time */
	double interval_seconds;                        /* as it was asked for */
	const char *const *command;                     /* NULL at its end; as the recorder was asked to keep it */
	const char *const *tags;                        /* KEY=VALUE */
	const pid_t *pids;                              /* the tracked processes; none: the machine was watched */
	size_t n_command, n_tags, n_pids;
	double end_seconds;                             /* [end] Unix time; without end line that of the last row */
	enum rt_record_status status;                   /* [end] */
	int    value;                                   /* [end] exit code, or the signal's number */
	int    core_dumped;                             /* [end] */
	int    limit_reached;                           /* [end] rows were left out: the record had its full size */
	const char *cause, *certainty, *reason;         /* [end] why it failed: two words, a sentence; "" */
	double rows, exits, exits_written;              /* [end] those with a line of their own */
	double dropped_lines, left_behind;              /* [end] */
	const char *const *notices;                     /* [end] what could not be measured, and why */
	const char *const *problems;                    /* [end] what could not be read */
	size_t n_notices, n_problems;
};
/* All that it points to is the record's, good until the next call of rt_record_next.  0, or -EINVAL: its size. */
RT_API int rt_record_info(struct rt_record *record, struct rt_record_info *ret);

/*
 * What else the header says, one after the other: "metadata.team", "job.scheduler", "job.rank" and so on.
 * -ENOENT: there is no such one.  Texts are good until rt_record_close.
 */
RT_API int rt_record_detail(const struct rt_record *record, size_t i, const char **ret_name, const char **ret_value);

/* ---- whole columns -------------------------------------------------------------------------------- */

/*
 * Which frames are filled as rt_record_next goes on: names separated by commas.  A frame has rows; in each some texts
 * and one double for each column.
 *
 *   total       a row for each of the record's: timestamp_seconds (Unix time, its end), interval_seconds, samples, and
 *               the record's columns, also those that are newer than this library
 *   maximum     in step with total: timestamp_seconds, and of the levels the highest sample in the row
 *   core disk mount network gpu program root
 *               rows of these tables: their key; timestamp_seconds, interval_seconds, and the table's metrics
 *   exit        processes that ended: their name; the numbers of struct rt_exit
 *   event       what struct rt_record_region has: path and text
 *   region      [end] for each path what its entries came to (docs/reference/record-format.md); its path
 *   statistic   [end] of all samples of the run, exact: metric ("process.rss_bytes", "program.cpu_seconds") and key of
 *               its row; mean, maximum, sum, seconds
 *
 * What is marked [end] is filled when all has been read.  To be called before what it shall hold is read; may be called
 * more than once.  -EINVAL: a name; -ENOMEM.
 */
RT_API int rt_record_keep(struct rt_record *record, const char *frames);
/*
 * Reads all that is left, also what it has to wait for: 0, or what rt_record_next failed with.  rt_record_tracker then
 * has the totals alone.
 */
RT_API int rt_record_read(struct rt_record *record);
/* NULL: it is not kept.  The record's own: it grows as that is read on. */
RT_API const struct rt_frame *rt_record_frame(const struct rt_record *record, const char *name);

struct rt_column_info {
	size_t      size;                               /* sizeof(struct rt_column_info), set by the caller */
	const char *name;                               /* "cpu.utilization_cores"; of a table's rows "read_bytes" */
	const char *unit;                               /* as a metric's; "": none, as of a pid */
	const char *kind;                               /* as a metric's; "instant": Unix time */
};

RT_API size_t      rt_frame_rows(const struct rt_frame *frame);
RT_API size_t      rt_frame_columns(const struct rt_frame *frame);
/* The record's own, good until the next call of rt_record_next.  -EINVAL: there is no such column, or its size. */
RT_API int         rt_frame_column_info(const struct rt_frame *frame, size_t column, struct rt_column_info *ret);
/* Its number, which it keeps; -ENOENT. */
RT_API ssize_t     rt_frame_find(const struct rt_frame *frame, const char *name);
/*
 * rt_frame_rows doubles, one after the other, in memory of the record's, good until the next call of rt_record_next.
 * Where a column came later than a row, or is not known in it, NaN.  NULL: there is no such column, or no row.
 */
RT_API const double *rt_frame_column(const struct rt_frame *frame, ssize_t column);
/* One row of all columns: at most `room` are written; returns rt_frame_columns.  -EINVAL: there is no such row. */
RT_API ssize_t     rt_frame_row(const struct rt_frame *frame, size_t row, double *ret, size_t room);

RT_API size_t      rt_frame_texts(const struct rt_frame *frame);        /* of each row */
RT_API const char *rt_frame_text_name(const struct rt_frame *frame, size_t text);       /* "key"; NULL */
/* Good until the next call of rt_record_next.  NULL: there is no such row or text. */
RT_API const char *rt_frame_text(const struct rt_frame *frame, size_t row, size_t text);

#ifdef __cplusplus
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif

#endif
