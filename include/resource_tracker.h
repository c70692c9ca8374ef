/*
 * resource_tracker.h - measure the resource use of a machine and of a tree of processes.
 *
 *     struct rt_tracker *tracker;
 *     if (rt_open(&tracker, NULL, NULL, 0) == 0) {
 *         rt_sample(tracker);                                          the baseline
 *         work();
 *         rt_sample(tracker);                                          amounts since then
 *         printf("%g\n", rt_get(tracker, "cpu.utilization_cores"));
 *         rt_close(tracker);
 *     }
 *
 * Units are seconds, bytes, cores and percent: a metric's unit is in its description.
 * A value that is unknown is NaN; test it with isnan().
 * Functions that can fail return 0 (or a length or count) or a negative errno number.  After an error results are as
 * they were, and there is nothing to close, if it is not stated otherwise.  Pointers must not be NULL, if it is not
 * permitted here.
 *
 * The library prints nothing, never exits, has no global state, and installs no signal handlers.
 *
 * Threads: only one thread at a time can use a handle (tracker, stream, record); different threads can use different
 * handles at the same time.  Any thread can call functions without a handle at any time.  A signal handler can call
 * only rt_stream_stop.  Fork: a tracker works only in the process that opened it.  In a child of fork, rt_sample fails
 * with -ECHILD; the last sample can be read, and rt_close and rt_stream_close only free memory: descriptors stay open
 * until exec or exit.  Call no function between vfork and exec.
 *
 * Structs that begin with `size` only grow at their end.  The caller initializes a struct that it fills in by its _init
 * function; if the library fills in a struct, the caller sets `size` first.  A library older than the program leaves
 * members that it does not know unchanged.  C11 or later, C++11 or later, Linux.
 */
#ifndef RESOURCE_TRACKER_H
#define RESOURCE_TRACKER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define RT_VERSION_MAJOR 0
#define RT_VERSION_MINOR 1
#define RT_VERSION_PATCH 0
#define RT_VERSION_NUMBER (RT_VERSION_MAJOR * 10000 + RT_VERSION_MINOR * 100 + RT_VERSION_PATCH)

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"               /* functions with the name of a struct, as stat(2) */
#endif
extern "C" {
#endif

#if defined(__GNUC__)
#define RT_API __attribute__((visibility("default")))
#else
#define RT_API
#endif

/* The version of the library in use, which can differ from this header's: "0.1.0", and its RT_VERSION_NUMBER. */
RT_API const char *rt_version(void);
RT_API int         rt_version_number(void);

/* ---- a tracker ------------------------------------------------------------------------------ */

struct rt_tracker;

enum rt_pss {                                           /* reading PSS delays the process, so it has a budget */
	RT_PSS_AUTO,                                    /* at most 1 % of the time, most changed first */
	RT_PSS_ALWAYS,                                  /* all processes at every sample */
	RT_PSS_NEVER
};

enum rt_cpu_source {                                    /* of a tree's total CPU time: docs/explanation/cpu-time.md */
	RT_CPU_AUTO,                                    /* the best one available */
	RT_CPU_CGROUP, RT_CPU_PERF, RT_CPU_LEDGER, RT_CPU_VISIBLE
};

struct rt_options {                                     /* zeros are the defaults */
	size_t       size;                              /* set by rt_options_init */
	const pid_t *pids;                              /* processes to track, with all their descendants; */
	size_t       n_pids;                            /* none: only the machine */
	double       interval_seconds;                  /* the planned time between samples; 0: none */
	const char  *only, *without;                    /* collectors, as "cpu,memory"; NULL: all, none */
	const char  *root;                              /* read ROOT/proc and ROOT/sys; NULL: "/" */
	const char  *job_name;                          /* for the JSON */
	int          no_children;                       /* the processes without their descendants */
	enum rt_pss  pss;
	enum rt_cpu_source cpu_source;                  /* if not available, the next one is used, with a notice */
	const char  *gpus;                              /* numbers, uuids, places: "0,GPU-8f2a"; "none"; NULL: all */
	double       max_overhead_percent;              /* of a core, for the sampling thread; above it, PSS and
							   similar values are read less often; 0: no limit */
};

/* Sets all to zero, except `size`; size: sizeof(struct rt_options). */
RT_API void rt_options_init(struct rt_options *options, size_t size);

/*
 * Sets *ret on success; free it with rt_close.  `options` NULL: only the machine; all that it points to is copied.
 * After an error `reason` (can be NULL) has a sentence, truncated to `reason_size` bytes including the zero.
 * -ESRCH: a process does not exist; -EINVAL: an option is invalid; -E2BIG: an option of a later library; -ENOENT: no
 * /proc; -ENOMEM.
 */
RT_API int  rt_open(struct rt_tracker **ret, const struct rt_options *options, char *reason, size_t reason_size);
RT_API void rt_close(struct rt_tracker *tracker);       /* does nothing for NULL */

/*
 * Takes a sample; the functions below return values of the last one.  Amounts count from the sample before, so the
 * first sample has only levels.  Metrics of the group "tracker" are those of the whole process.
 * -ECHILD: called in a child of fork.  -EINVAL: the tracker belongs to a record (resource_tracker_records.h).
 */
RT_API int  rt_sample(struct rt_tracker *tracker);
/* The next sentence about a missing value, each returned once; NULL: none.  Valid until the next call on it. */
RT_API const char *rt_notice(struct rt_tracker *tracker);

RT_API double rt_timestamp_seconds(const struct rt_tracker *tracker);   /* Unix time; NaN before the first sample */
RT_API double rt_interval_seconds(const struct rt_tracker *tracker);    /* since the sample before; NaN if none */

/* ---- values, by name or by number ----------------------------------------------------------- */

struct rt_metric_info {
	size_t      size;                               /* sizeof(struct rt_metric_info), set by the caller */
	const char *group;                              /* "cpu"; for tables with rows the table's name */
	const char *name;                               /* "utilization_cores" */
	const char *unit;                               /* bytes, seconds, cores, count, percent */
	const char *kind;                               /* level, amount, counter, fixed */
	const char *help;
	int         decimals;                           /* significant decimals */
};

/*
 * Metrics are in tables.  Table "total" always has one row, and its metrics are named "group.name"; the others have a
 * row for each core, disk, mount, network interface, program, root, collector.
 * Numbers of tables and metrics can differ between versions of the library, names do not.  Names, units and the like
 * are constants of the library; keys and labels of rows belong to the tracker and are valid until its next sample.
 */
RT_API size_t      rt_table_count(void);
RT_API const char *rt_table_name(size_t table);                         /* NULL: no such table */
RT_API size_t      rt_metric_count(size_t table);                       /* 0: no such table, here and below */
RT_API int         rt_metric_info(size_t table, size_t metric, struct rt_metric_info *ret);     /* -EINVAL */
RT_API size_t      rt_label_count(size_t table);                        /* texts of a row, such as a disk's model */
RT_API const char *rt_label_name(size_t table, size_t label);           /* NULL: no such label */

/* Finds a metric by name: "cpu.utilization_cores", "disk.read_bytes".  -ENOENT: no such metric. */
RT_API int         rt_find(const char *name, size_t *ret_table, size_t *ret_metric);

RT_API size_t      rt_row_count(const struct rt_tracker *tracker, size_t table);
RT_API const char *rt_row_key(const struct rt_tracker *tracker, size_t table, size_t row);     /* "vda", "eth0"; NULL */
RT_API const char *rt_label(const struct rt_tracker *tracker, size_t table, size_t row, size_t label); /* "": unknown */
/* In base units; NaN: unknown, or there is no such table, row or metric. */
RT_API double      rt_value(const struct rt_tracker *tracker, size_t table, size_t row, size_t metric);
/* A metric of table "total" by name; NaN if there is no such metric.  Searches the name, so for a few values only. */
RT_API double      rt_get(const struct rt_tracker *tracker, const char *name);

/*
 * Many values, in base units: all metrics of a row (rt_metric_count), or a metric of all rows (rt_row_count).  Writes
 * at most `room` values, and returns the number of values that exist.  -EINVAL: no such table, row or metric.
 */
RT_API ssize_t     rt_row_values(const struct rt_tracker *tracker, size_t table, size_t row, double *ret, size_t room);
RT_API ssize_t     rt_column_values(const struct rt_tracker *tracker, size_t table, size_t metric, double *ret,
				    size_t room);

/* ---- processes that have ended -------------------------------------------------------------------- */

struct rt_exit {
	size_t size;                                    /* sizeof(struct rt_exit), set by the caller */
	pid_t  pid, parent;
	double start_seconds;                           /* Unix time; NaN: unknown */
	double end_seconds;                             /* Unix time when the end was noticed; NaN: unknown */
	double cpu_seconds;                             /* without its children, as last read */
	double peak_rss_bytes;                          /* NaN: never read */
	char   name[64];                                /* name of the program in the kernel */
	int    exact;                                   /* cpu_seconds is complete: the recorder itself reaped it */
};

/*
 * The exits of tracked processes, each returned once, in their order.  A process that began and ended between two
 * samples is not among them; only the sums of its program include it (table "program").  The last 64 exits are kept, so
 * call this after each sample.  1: *ret is an exit; 0: no more; -EINVAL: wrong `size`.
 */
RT_API int rt_next_exit(struct rt_tracker *tracker, struct rt_exit *ret);

/* ---- a sample as a line ---------------------------------------------------------------------- */

enum rt_csv { RT_CSV_SYSTEM, RT_CSV_COMBINED, RT_CSV_PROCESS };         /* docs/reference/formats.md */

/*
 * Like snprintf: write at most `size` bytes including the terminating zero, and return the full length of the line with
 * its newline.  -EINVAL: no such layout.  -ENOMEM.
 */
RT_API ssize_t rt_write_json(struct rt_tracker *tracker, char *ret, size_t size);
RT_API ssize_t rt_write_csv(struct rt_tracker *tracker, enum rt_csv layout, char *ret, size_t size);
RT_API ssize_t rt_write_csv_header(enum rt_csv layout, char *ret, size_t size);
/* The same to a file descriptor: one write(2) for a line, unless it is written only in part. */
RT_API ssize_t rt_print_json(struct rt_tracker *tracker, int fd);
RT_API ssize_t rt_print_csv(struct rt_tracker *tracker, enum rt_csv layout, int fd);
RT_API ssize_t rt_print_csv_header(enum rt_csv layout, int fd);

/* ---- a single process: cumulative values ------------------------------------------------------ */

/*
 * -ESRCH: no such process (any more).  -EACCES: no permission.  -EINVAL: a pid below 1.  Each call reads from the
 * kernel; to watch a tree over time, use a tracker.
 */

/*
 * Children started by any of its threads; `recursive`: all descendants.  Writes at most `room` pids, and returns the
 * number of pids that exist.
 */
RT_API ssize_t rt_process_children(pid_t pid, int recursive, pid_t *ret, size_t room);
RT_API int rt_process_rss_bytes(pid_t pid, uint64_t *ret);
RT_API int rt_process_pss_bytes(pid_t pid, uint64_t *ret);      /* takes 8 ms per GiB and delays the process */
/* `with_reaped_children`: includes the children that it has waited for. */
RT_API int rt_process_cpu_seconds(pid_t pid, int with_reaped_children, double *ret_user, double *ret_system);

struct rt_process_io {                                  /* /proc/PID/io; memory-mapped files are in read_bytes only */
	size_t   size;                                  /* sizeof(struct rt_process_io), set by the caller */
	uint64_t read_chars, write_chars;               /* passed through read and write calls, cached or not */
	uint64_t read_calls, write_calls;
	uint64_t read_bytes, write_bytes;               /* fetched from and sent to storage */
	uint64_t cancelled_write_bytes;                 /* of write_bytes: discarded before they were written */
};
RT_API int rt_process_io(pid_t pid, struct rt_process_io *ret);

struct rt_process_stats {
	size_t   size;                                  /* sizeof(struct rt_process_stats), set by the caller */
	double   timestamp_seconds;                     /* Unix time */
	pid_t    pid;
	int      children;                              /* number of descendants; -1: not requested */
	double   user_seconds, system_seconds;
	double   pss_bytes, rss_bytes;
	double   read_bytes, write_bytes;               /* NaN: no permission */
	double   gpu_usage, gpu_vram_bytes, gpu_utilized; /* always NaN: use a tracker's process.gpu_* */
};
/* The process alone; with `children`, the sum over it and all its descendants, including reaped ones. */
RT_API int rt_process_stats(pid_t pid, int children, struct rt_process_stats *ret);

/* ---- the machine: cumulative values ----------------------------------------------------------- */

struct rt_system_stats {
	size_t size;                                    /* sizeof(struct rt_system_stats), set by the caller */
	double timestamp_seconds;                       /* Unix time */
	double processes;
	double user_seconds, system_seconds;            /* since boot; user with nice */
	double memory_total_bytes, memory_free_bytes, memory_used_bytes, memory_buffers_bytes;
	double memory_cached_bytes, memory_active_bytes, memory_inactive_bytes;
	double memory_active_anon_bytes, memory_inactive_anon_bytes;    /* of these, not of files */
	double disk_read_bytes, disk_write_bytes;       /* since boot, each byte counted once */
	double disk_space_total_bytes, disk_space_used_bytes, disk_space_free_bytes;
	double net_recv_bytes, net_sent_bytes;          /* since boot, each byte counted once, without loopback */
	double gpu_usage, gpu_vram_bytes, gpu_utilized; /* 0 if the machine has no GPU; NaN: no answer in time */
};
/* Waits up to 0.2 s for filesystems and GPUs.  For single disks, filesystems and interfaces use a tracker. */
RT_API int rt_system_stats(struct rt_system_stats *ret);

/*
 * The sector size of a device in bytes, for information only: /proc/diskstats counts sectors of 512 bytes on every
 * device, so do not multiply its values by this.  -ENOENT: no such whole device.
 */
RT_API ssize_t rt_sector_size(const char *disk);
RT_API int rt_disk_is_partition(const char *name);      /* 1 or 0; -ENOENT: no such block device */

/* ---- CSV rows until a process ends, or without end --------------------------------------------- */

struct rt_stream;

struct rt_stream_options {                              /* zeros are the defaults */
	size_t      size;                               /* set by rt_stream_options_init */
	double      interval_seconds;                   /* 0: 1 s */
	double      start_seconds;                      /* Unix time of the baseline, one interval before row 1;
							   0: now */
	const char *output_path;                        /* truncated first; NULL: standard output */
	int         no_children;                        /* the process without its descendants */
	int         no_header;
	int         autostart;                          /* the opening function also runs the stream to its end */
};

/* Sets all to zero, except `size`; size: sizeof(struct rt_stream_options). */
RT_API void rt_stream_options_init(struct rt_stream_options *options, size_t size);

/*
 * Open a stream with rows of RT_CSV_PROCESS (pid 0: this process), or of RT_CSV_SYSTEM.  `options` NULL: the defaults.
 * Errors and `reason` as in rt_open; free *ret with rt_stream_close.  With autostart, *ret is set before the stream
 * runs, and the result is that of rt_stream_run: set *ret to NULL before, and close it afterwards even after an error.
 */
RT_API int  rt_pid_tracker(struct rt_stream **ret, pid_t pid, const struct rt_stream_options *options,
			   char *reason, size_t reason_size);
RT_API int  rt_system_tracker(struct rt_stream **ret, const struct rt_stream_options *options,
			      char *reason, size_t reason_size);
/* Writes rows until the process ends (with a last row), until rt_stream_stop, or until a write fails (-errno). */
RT_API int  rt_stream_run(struct rt_stream *stream);
/* Ends rt_stream_run at once, from any thread or a signal handler; a stopped stream cannot run again. */
RT_API void rt_stream_stop(struct rt_stream *stream);
/* Takes a sample of the time since the last row or call, without writing it; read it from rt_stream_tracker. */
RT_API int  rt_stream_diff(struct rt_stream *stream);
RT_API struct rt_tracker *rt_stream_tracker(struct rt_stream *stream);  /* belongs to the stream: do not close it */

enum rt_stream_status { RT_STREAM_READY, RT_STREAM_RUNNING, RT_STREAM_STOPPED, RT_STREAM_EXITED };
RT_API enum rt_stream_status rt_stream_status(const struct rt_stream *stream);
RT_API void rt_stream_close(struct rt_stream *stream);  /* not while rt_stream_run runs; NULL is allowed */

#ifdef __cplusplus
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif

#endif
