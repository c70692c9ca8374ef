/*
 * resource_tracker_records.h - read the record of a run (docs/reference/record-format.md).
 *
 *     struct rt_record *record;
 *     if (rt_record_open(&record, "run.jsonl", NULL, 0) == 0) {
 *         while (rt_record_next(record) > 0)                           row by row, in constant memory
 *             printf("%g\n", rt_get(rt_record_tracker(record), "process.rss_bytes"));
 *         rt_record_close(record);
 *     }
 *
 * or all of it at once, as columns of doubles, for calculations:
 *
 *     rt_record_keep(record, "total");
 *     rt_record_read(record);
 *     const struct rt_frame *frame = rt_record_frame(record, "total");
 *     const double *seconds = rt_frame_column(frame, rt_frame_find(frame, "process.cpu_seconds"));
 *     for (size_t i = 0; i < rt_frame_rows(frame); i++) sum += seconds[i];
 *
 * A record can come from an untrusted source: reading it is safe whatever it contains.  Invalid parts are left out,
 * with a sentence in rt_record_info; unknown values are NaN or "".  The record of a run that still goes on, or was cut
 * off, is read up to its end.  Texts are UTF-8 if they are in the record.
 *
 * Threads as in resource_tracker.h.  After a fork, parent and child share the offset in the file, so only one of them
 * can read on.
 */
#ifndef RESOURCE_TRACKER_RECORDS_H
#define RESOURCE_TRACKER_RECORDS_H

#include "resource_tracker.h"

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"               /* functions with the name of a struct, as stat(2) */
#endif
extern "C" {
#endif

struct rt_record;
struct rt_frame;

/* ---- row by row ------------------------------------------------------------------------------ */

/*
 * Reads the header.  path: "-" is standard input.  Sets *ret on success; free it with rt_record_close.  `reason` as in
 * rt_open.  -errno: the file cannot be read; -EBADMSG: it is not a record; -EPROTONOSUPPORT: a later version wrote it;
 * -ENOMEM.
 */
RT_API int  rt_record_open(struct rt_record **ret, const char *path, char *reason, size_t reason_size);
/* The same from memory, which the caller owns and which must outlive the record. */
RT_API int  rt_record_open_memory(struct rt_record **ret, const void *bytes, size_t size, char *reason,
				  size_t reason_size);
/*
 * The same for a run that goes on: its record, or its feed in a file or pipe.  Waits for the header.  The record is
 * over after its last line, or when no process has it open for writing any more, for example after the recorder was
 * killed.
 */
RT_API int  rt_record_follow(struct rt_record **ret, const char *path, char *reason, size_t reason_size);
RT_API void rt_record_close(struct rt_record *record);  /* does nothing for NULL */

enum rt_record_item { RT_RECORD_OVER, RT_RECORD_ROW, RT_RECORD_EXIT, RT_RECORD_REGION, RT_RECORD_LATER };

/*
 * Reads the next row, exit of a process, or region event; an exit comes before the row that includes it.
 * RT_RECORD_LATER, only after rt_record_follow: there is no more yet, call rt_record_wait.  RT_RECORD_OVER (0): no
 * more.  -ENOMEM or -EFBIG: a frame (below) cannot hold more, and frames keep nothing from then on.
 */
RT_API int rt_record_next(struct rt_record *record);
/* After RT_RECORD_LATER: waits until there can be more, at most timeout_seconds; below 0: no limit. */
RT_API void rt_record_wait(struct rt_record *record, double timeout_seconds);

/*
 * The row as a sample, for rt_get, rt_value, rt_row_key, rt_row_values, rt_write_json and the like: levels are means
 * over rt_interval_seconds, amounts are sums, counters are NaN.  The tracker belongs to the record: do not close it;
 * its values are valid until the next row.
 */
RT_API struct rt_tracker *rt_record_tracker(struct rt_record *record);
/* The number of samples in the row; 0 before the first row. */
RT_API size_t rt_record_samples(const struct rt_record *record);
/* After RT_RECORD_EXIT, until the next item.  0, or -EINVAL: wrong `size`. */
RT_API int    rt_record_exit(const struct rt_record *record, struct rt_exit *ret);

enum rt_record_region_kind { RT_RECORD_ENTRY, RT_RECORD_MARK, RT_RECORD_VALUE };

struct rt_record_region {
	size_t size;                                    /* sizeof(struct rt_record_region), set by the caller */
	enum rt_record_region_kind kind;
	int    unfinished;                              /* an entry without an end: its thread ended first */
	double timestamp_seconds;                       /* Unix time; for an entry its begin */
	double seconds, cpu_seconds;                    /* of an entry; NaN: unknown */
	double value;                                   /* of RT_RECORD_VALUE */
	double tid;                                     /* 0: unknown */
	const char *path;                               /* names, outermost first: "train/epoch"; "": no region */
	const char *text;                               /* of a mark; for a value its name */
};
/* After RT_RECORD_REGION.  Texts are valid until the next call of rt_record_next.  0, or -EINVAL: wrong `size`. */
RT_API int rt_record_region(const struct rt_record *record, struct rt_record_region *ret);

/* ---- facts of the run --------------------------------------------------------------------------- */

enum rt_record_status {                                 /* how the run ended */
	RT_RECORD_RUNNING,                              /* it goes on, or was cut off */
	RT_RECORD_EXITED, RT_RECORD_SIGNALED, RT_RECORD_ROOTS_ENDED, RT_RECORD_STOPPED
};

/* From the header; members marked [end] are complete after RT_RECORD_OVER. */
struct rt_record_info {
	size_t size;                                    /* sizeof(struct rt_record_info), set by the caller */
	const char *id, *tracker_version;
	const char *host_name, *kernel, *architecture, *cpu_model;      /* "": unknown */
	double cpus, memory_bytes;
	double start_seconds;                           /* Unix time */
	double interval_seconds;                        /* the requested interval */
	const char *const *command;                     /* words, then NULL; as kept by --record-command */
	const char *const *tags;                        /* KEY=VALUE */
	const pid_t *pids;                              /* the tracked processes; none: the machine was watched */
	size_t n_command, n_tags, n_pids;
	double end_seconds;                             /* [end] Unix time; without an end line of the last row */
	enum rt_record_status status;                   /* [end] */
	int    value;                                   /* [end] exit code, or the signal's number */
	int    core_dumped;                             /* [end] */
	int    limit_reached;                           /* [end] rows were left out: the record had its full size */
	const char *cause, *certainty, *reason;         /* [end] of a failure: two words, a sentence; else "" */
	double rows, exits, exits_written;              /* [end] exits_written: those with a line of their own */
	double dropped_lines, left_behind;              /* [end] left_behind: processes after the command's end */
	const char *const *notices;                     /* [end] measurements that failed, and why */
	const char *const *problems;                    /* [end] parts that could not be read */
	size_t n_notices, n_problems;
};
/* All pointers in it are valid until the next call of rt_record_next.  0, or -EINVAL: wrong `size`. */
RT_API int rt_record_info(struct rt_record *record, struct rt_record_info *ret);

/*
 * Detail i of the header, from 0 on: "metadata.team", "job.scheduler", "job.rank" and so on.  -ENOENT: no more.
 * Texts are valid until rt_record_close.
 */
RT_API int rt_record_detail(const struct rt_record *record, size_t i, const char **ret_name, const char **ret_value);

/* ---- whole columns -------------------------------------------------------------------------------- */

/*
 * Chooses the frames that rt_record_next fills, by names separated by commas.  A frame has rows; each row has some
 * texts and a double for each column.
 *
 *   total       the rows of the record: timestamp_seconds (Unix time of its end), interval_seconds, samples, and the
 *               record's columns, even those that this library does not know
 *   maximum     the same rows: timestamp_seconds, and the maximum of each level
 *   core disk mount network gpu program root
 *               the rows of these tables: text key; timestamp_seconds, interval_seconds, and the table's metrics
 *   exit        exits of processes: text name; the numbers of struct rt_exit
 *   event       region events: texts path and text; the numbers of struct rt_record_region
 *   region      [end] for each path the sums of its entries (docs/reference/record-format.md): text path
 *   statistic   [end] exact statistics over all samples: texts metric ("process.rss_bytes", "program.cpu_seconds") and
 *               key of its row; mean, maximum, sum, seconds
 *
 * Frames marked [end] are filled at RT_RECORD_OVER.  From then on a frame without rows has columns, too: those that a
 * record of this version can have.  A frame has only the items that are read after this call, which
 * can be repeated for more frames.  -EINVAL: an unknown name; -ENOMEM.
 */
RT_API int rt_record_keep(struct rt_record *record, const char *frames);
/*
 * Reads all remaining items, and waits for those of a followed record: 0, or the error of rt_record_next.  After it
 * rt_record_tracker has only the totals.
 */
RT_API int rt_record_read(struct rt_record *record);
/* NULL: the frame is not kept, or unknown.  It belongs to the record, and grows with each rt_record_next. */
RT_API const struct rt_frame *rt_record_frame(const struct rt_record *record, const char *name);

struct rt_column_info {
	size_t      size;                               /* sizeof(struct rt_column_info), set by the caller */
	const char *name;                               /* "cpu.utilization_cores"; in a table's rows "read_bytes" */
	const char *unit;                               /* as of a metric; "": none, for example for a pid */
	const char *kind;                               /* as of a metric; "instant": Unix time */
};

RT_API size_t      rt_frame_rows(const struct rt_frame *frame);
RT_API size_t      rt_frame_columns(const struct rt_frame *frame);
/* Texts are valid until the next call of rt_record_next.  -EINVAL: no such column, or wrong `size`. */
RT_API int         rt_frame_column_info(const struct rt_frame *frame, size_t column, struct rt_column_info *ret);
/* The number of a column, which never changes; -ENOENT: no such column. */
RT_API ssize_t     rt_frame_find(const struct rt_frame *frame, const char *name);
/*
 * An array of rt_frame_rows doubles, which belongs to the record and is valid until the next call of rt_record_next.
 * NaN: unknown, or the row is older than the column.  NULL: no such column, or no rows.
 */
RT_API const double *rt_frame_column(const struct rt_frame *frame, ssize_t column);
/* All columns of one row: writes at most `room` values, returns rt_frame_columns.  -EINVAL: no such row. */
RT_API ssize_t     rt_frame_row(const struct rt_frame *frame, size_t row, double *ret, size_t room);

RT_API size_t      rt_frame_texts(const struct rt_frame *frame);        /* number of texts in each row */
RT_API const char *rt_frame_text_name(const struct rt_frame *frame, size_t text);       /* "key"; NULL */
/* Valid until the next call of rt_record_next.  NULL: no such row or text. */
RT_API const char *rt_frame_text(const struct rt_frame *frame, size_t row, size_t text);

#ifdef __cplusplus
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif

#endif
