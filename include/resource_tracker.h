/*
 * resource_tracker.h - measure what a machine and a tree of processes use.
 *
 *     struct rt_tracker *tracker;
 *     if (rt_open(&tracker, NULL, NULL, 0) == 0) {
 *         rt_sample(tracker);                                          the baseline
 *         work();
 *         rt_sample(tracker);                                          what happened since
 *         printf("%g\n", rt_get(tracker, "cpu.utilization_cores"));
 *         rt_close(tracker);
 *     }
 *
 * Units are seconds, bytes, cores and percent: a metric's unit is in its description.
 * A value that cannot be known here and now is NaN; test it with isnan().
 * Functions that can fail return 0 (or a length or count) or a negative errno number.
 *
 * The library prints nothing, never exits, has no globals, installs no signal handlers.
 *
 * Threads: one handle (tracker, stream, record) is used by one thread at a time; different handles by different threads
 * at once.  Functions without a handle may be called by any thread at any time.  Only rt_stream_stop may be called in a
 * signal handler.
 * Fork: a tracker works in the process that opened it.  In a child of fork rt_sample fails with -ECHILD; the last
 * sample can be read there, and rt_close and rt_stream_close give back memory alone: descriptors stay open until exec
 * or exit.  No function is to be called between vfork and exec.
 *
 * Structs that begin with `size` only grow at their end.  A struct that the caller fills in is begun by its _init
 * function; in one that the library fills in, the caller sets `size` before.  A library that is older than the program
 * leaves what it does not know of such a struct as it was.  C11 or later, C++11 or later, Linux.
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
#pragma GCC diagnostic ignored "-Wshadow"               /* a function named as what it fills, as stat(2) */
#endif
extern "C" {
#endif

#if defined(__GNUC__)
#define RT_API __attribute__((visibility("default")))
#else
#define RT_API
#endif

/* Of the library in use, which may be another than this header's: "0.1.0", and its RT_VERSION_NUMBER. */
RT_API const char *rt_version(void);
RT_API int         rt_version_number(void);

/* ---- a tracker ------------------------------------------------------------------------------ */

struct rt_tracker;

enum rt_pss {                                           /* reading PSS makes the process wait, so it has a budget */
	RT_PSS_AUTO,                                    /* 1 % of the time at most, most changed first */
	RT_PSS_ALWAYS,                                  /* all processes, every sample */
	RT_PSS_NEVER
};

enum rt_cpu_source {                                    /* of a tree's CPU time in all: docs/explanation/cpu-time.md */
	RT_CPU_AUTO,                                    /* the best that is to be had */
	RT_CPU_CGROUP, RT_CPU_PERF, RT_CPU_LEDGER, RT_CPU_VISIBLE
};

struct rt_options {                                     /* zeros are the defaults */
	size_t       size;                              /* set by rt_options_init */
	const pid_t *pids;                              /* processes to track with all their descendants; */
	size_t       n_pids;                            /* none: the machine alone */
	double       interval_seconds;                  /* how often you mean to sample; 0: whenever you like */
	const char  *only, *without;                    /* collectors, as "cpu,memory"; NULL: all, none */
	const char  *root;                              /* read ROOT/proc and ROOT/sys; NULL: "/" */
	const char  *job_name;                          /* into the JSON */
	int          no_children;                       /* the processes without their descendants */
	enum rt_pss  pss;
	enum rt_cpu_source cpu_source;                  /* where it is not to be had, the next one is, with a notice */
	const char  *gpus;                              /* numbers, uuids, places: "0,GPU-8f2a"; "none"; NULL: all */
	double       max_overhead_percent;              /* of a core, for the thread that samples: past it PSS and
							   the like are read in fewer samples; 0: no limit */
};

/* `size`: sizeof(struct rt_options).  All of it is zero then, but `size`. */
RT_API void rt_options_init(struct rt_options *options, size_t size);

/*
 * Sets *ret on success, which rt_close takes back.  `options` NULL: the machine alone; all that it points to is copied.
 * `reason` (may be NULL) gets a sentence when it fails, cut to `reason_size` with its zero: -ESRCH a process does not
 * exist, -EINVAL an option, -E2BIG an option that a later library knows, -ENOENT no /proc, -ENOMEM.
 */
RT_API int  rt_open(struct rt_tracker **ret, const struct rt_options *options, char *reason, size_t reason_size);
RT_API void rt_close(struct rt_tracker *tracker);       /* NULL is fine */

/*
 * Takes a sample; what the functions below tell is the last one.  Amounts are what happened since
 * the sample before, so the first sample has levels only.  Metrics of the group "tracker" are those of the whole
 * process.  -ECHILD: a child of fork has it.  -EINVAL: it is a record's (resource_tracker_records.h).
 */
RT_API int  rt_sample(struct rt_tracker *tracker);
/* The next reason not told yet why something is missing, or NULL.  Good until the next call on the tracker. */
RT_API const char *rt_notice(struct rt_tracker *tracker);

RT_API double rt_timestamp_seconds(const struct rt_tracker *tracker);   /* Unix time; NaN before the first sample */
RT_API double rt_interval_seconds(const struct rt_tracker *tracker);    /* since the sample before; NaN if none */

/* ---- its values, by name or one after the other --------------------------------------------- */

struct rt_metric_info {
	size_t      size;                               /* sizeof(struct rt_metric_info), set by the caller */
	const char *group;                              /* "cpu"; for tables with rows the table's name */
	const char *name;                               /* "utilization_cores" */
	const char *unit;                               /* bytes, seconds, cores, count, percent */
	const char *kind;                               /* level, amount, counter, fixed */
	const char *help;
	int         decimals;                           /* that mean something */
};

/*
 * Metrics stand in tables.  Table "total" has always one row, its metrics are named "group.name"; the
 * others have a row for each core, disk, mount, network interface, program, root, collector.
 * Numbers of tables and metrics may differ between versions of the library, names do not.  Names, units and the like
 * are constants of the library's; keys and labels of rows are the tracker's, good until its next sample.
 */
RT_API size_t      rt_table_count(void);
RT_API const char *rt_table_name(size_t table);                         /* NULL: there is none */
RT_API size_t      rt_metric_count(size_t table);
RT_API int         rt_metric_info(size_t table, size_t metric, struct rt_metric_info *ret);     /* -EINVAL */
RT_API size_t      rt_label_count(size_t table);                        /* texts of a row, as a disk's model */
RT_API const char *rt_label_name(size_t table, size_t label);

/* "cpu.utilization_cores", "disk.read_bytes".  -ENOENT: there is no such metric. */
RT_API int         rt_find(const char *name, size_t *ret_table, size_t *ret_metric);

RT_API size_t      rt_row_count(const struct rt_tracker *tracker, size_t table);
RT_API const char *rt_row_key(const struct rt_tracker *tracker, size_t table, size_t row);     /* "vda", "eth0"; NULL */
RT_API const char *rt_label(const struct rt_tracker *tracker, size_t table, size_t row, size_t label); /* "": unknown */
RT_API double      rt_value(const struct rt_tracker *tracker, size_t table, size_t row, size_t metric);
/* A metric of table "total" by name: short, for a few values; NaN if there is no such metric. */
RT_API double      rt_get(const struct rt_tracker *tracker, const char *name);

/*
 * Many at once, in base units: all metrics of a row (rt_metric_count), or a metric of all rows (rt_row_count).  At most
 * `room` are written; returns how many there are.  -EINVAL: there is no such table, row or metric.
 */
RT_API ssize_t     rt_row_values(const struct rt_tracker *tracker, size_t table, size_t row, double *ret, size_t room);
RT_API ssize_t     rt_column_values(const struct rt_tracker *tracker, size_t table, size_t metric, double *ret,
				    size_t room);

/* ---- processes that have ended -------------------------------------------------------------------- */

struct rt_exit {
	size_t size;                                    /* sizeof(struct rt_exit), set by the caller */
	pid_t  pid, parent;
	double start_seconds;                           /* Unix time; NaN: unknown */
	double end_seconds;                             /* Unix time at which it was noticed; NaN: unknown */
	double cpu_seconds;                             /* its own, without its children's, as last seen */
	double peak_rss_bytes;                          /* NaN: never read */
	char   name[64];                                /* of the program, as the kernel has it */
	int    exact;                                   /* cpu_seconds is complete: the recorder itself reaped it */
};

/*
 * The ends of tracked processes that were seen at a sample, each once, in their order; of those that began and ended
 * between two samples only the program's sums tell (table "program").  The last 64 are kept: ask after each sample.
 * 1: *ret is one; 0: there is none; -EINVAL: its size.
 */
RT_API int rt_next_exit(struct rt_tracker *tracker, struct rt_exit *ret);

/* ---- a sample as a line ---------------------------------------------------------------------- */

enum rt_csv { RT_CSV_SYSTEM, RT_CSV_COMBINED, RT_CSV_PROCESS };         /* docs/reference/formats.md */

/*
 * Like snprintf: at most `size` bytes with the terminating zero, and the length that the line (with
 * its newline) needs.  -EINVAL: no such layout.  -ENOMEM.
 */
RT_API ssize_t rt_write_json(struct rt_tracker *tracker, char *ret, size_t size);
RT_API ssize_t rt_write_csv(struct rt_tracker *tracker, enum rt_csv layout, char *ret, size_t size);
RT_API ssize_t rt_write_csv_header(enum rt_csv layout, char *ret, size_t size);
/* The same to a file descriptor, each line with one write(2) where the file takes it whole. */
RT_API ssize_t rt_print_json(struct rt_tracker *tracker, int fd);
RT_API ssize_t rt_print_csv(struct rt_tracker *tracker, enum rt_csv layout, int fd);
RT_API ssize_t rt_print_csv_header(enum rt_csv layout, int fd);

/* ---- one question about one process: cumulative values ---------------------------------------- */

/*
 * -ESRCH: there is no such process (any more).  -EACCES: it is not ours to see.  -EINVAL: a pid
 * below 1.  Each call asks the kernel anew; to watch a tree over time, use a tracker.
 */

/*
 * Children started by any of its threads; `recursive`: all descendants.  Fills at most `room`, returns how
 * many there are.
 */
RT_API ssize_t rt_process_children(pid_t pid, int recursive, pid_t *ret, size_t room);
RT_API int rt_process_rss_bytes(pid_t pid, uint64_t *ret);
RT_API int rt_process_pss_bytes(pid_t pid, uint64_t *ret);      /* dear: 8 ms per GiB, the process waits meanwhile */
/* `with_reaped_children`: also what its children had used when it waited for them. */
RT_API int rt_process_cpu_seconds(pid_t pid, int with_reaped_children, double *ret_user, double *ret_system);

struct rt_process_io {                                  /* /proc/PID/io; memory-mapped files are in read_bytes only */
	size_t   size;                                  /* sizeof(struct rt_process_io), set by the caller */
	uint64_t read_chars, write_chars;               /* passed through read and write calls, cached or not */
	uint64_t read_calls, write_calls;
	uint64_t read_bytes, write_bytes;               /* fetched from and sent to storage */
	uint64_t cancelled_write_bytes;                 /* of write_bytes: thrown away before it was written */
};
RT_API int rt_process_io(pid_t pid, struct rt_process_io *ret);

struct rt_process_stats {
	size_t   size;                                  /* sizeof(struct rt_process_stats), set by the caller */
	double   timestamp_seconds;                     /* Unix time */
	pid_t    pid;
	int      children;                              /* descendants; -1: not asked for */
	double   user_seconds, system_seconds;
	double   pss_bytes, rss_bytes;
	double   read_bytes, write_bytes;               /* NaN: may not be read */
	double   gpu_usage, gpu_vram_bytes, gpu_utilized; /* NaN: they need time, so a tracker: process.gpu_* */
};
/* The process, with `children` the sum over it and all its descendants, reaped children included. */
RT_API int rt_process_stats(pid_t pid, int children, struct rt_process_stats *ret);

/* ---- one question about the machine: cumulative values ---------------------------------------- */

struct rt_system_stats {
	size_t size;                                    /* sizeof(struct rt_system_stats), set by the caller */
	double timestamp_seconds;                       /* Unix time */
	double processes;
	double user_seconds, system_seconds;            /* since boot; user with nice */
	double memory_total_bytes, memory_free_bytes, memory_used_bytes, memory_buffers_bytes;
	double memory_cached_bytes, memory_active_bytes, memory_inactive_bytes;
	double memory_active_anon_bytes, memory_inactive_anon_bytes;    /* of these, what is no file's */
	double disk_read_bytes, disk_write_bytes;       /* since boot, each byte counted once */
	double disk_space_total_bytes, disk_space_used_bytes, disk_space_free_bytes;
	double net_recv_bytes, net_sent_bytes;          /* since boot, each byte counted once, without loopback */
	double gpu_usage, gpu_vram_bytes, gpu_utilized; /* 0 where the machine has no GPU; NaN: not told in time */
};
/* Waits up to 0.2 s for filesystems and GPUs to answer; for single disks, filesystems and interfaces use a tracker. */
RT_API int rt_system_stats(struct rt_system_stats *ret);

/*
 * The size of a sector of the device, for information: /proc/diskstats counts 512 bytes per sector on
 * every device, so nothing is to be multiplied with this.  -ENOENT: there is no such whole device.
 */
RT_API ssize_t rt_sector_size(const char *disk);
RT_API int rt_disk_is_partition(const char *name);      /* 1 or 0; -ENOENT: there is no such block device */

/* ---- CSV rows until a process ends, or for ever ------------------------------------------------ */

struct rt_stream;

struct rt_stream_options {                              /* zeros are the defaults */
	size_t      size;                               /* set by rt_stream_options_init */
	double      interval_seconds;                   /* 0: 1 s */
	double      start_seconds;                      /* Unix time of the baseline, one interval before row 1;
							   0: now */
	const char *output_path;                        /* emptied first; NULL: standard output */
	int         no_children;                        /* the process without its descendants */
	int         no_header;
	int         autostart;                          /* the opening function also runs it, and returns at its end */
};

/* `size`: sizeof(struct rt_stream_options).  All of it is zero then, but `size`. */
RT_API void rt_stream_options_init(struct rt_stream_options *options, size_t size);

/*
 * Rows of RT_CSV_PROCESS (pid 0: this process), or of RT_CSV_SYSTEM.  `options` NULL: the defaults.
 * With autostart *ret is set before it runs, and the result is that of rt_stream_run: begin with *ret NULL,
 * and close what is there afterwards.
 */
RT_API int  rt_pid_tracker(struct rt_stream **ret, pid_t pid, const struct rt_stream_options *options,
			   char *reason, size_t reason_size);
RT_API int  rt_system_tracker(struct rt_stream **ret, const struct rt_stream_options *options,
			      char *reason, size_t reason_size);
/* Writes rows until the process has ended (with a last row), rt_stream_stop, or a failed write (-errno). */
RT_API int  rt_stream_run(struct rt_stream *stream);
/* Ends rt_stream_run at once, from any thread or a signal handler; once stopped it stays so. */
RT_API void rt_stream_stop(struct rt_stream *stream);
/* What happened since the last row or call, without writing it: read it from rt_stream_tracker. */
RT_API int  rt_stream_diff(struct rt_stream *stream);
RT_API struct rt_tracker *rt_stream_tracker(struct rt_stream *stream);  /* the stream's own: not to be closed */

enum rt_stream_status { RT_STREAM_READY, RT_STREAM_RUNNING, RT_STREAM_STOPPED, RT_STREAM_EXITED };
RT_API enum rt_stream_status rt_stream_status(const struct rt_stream *stream);
RT_API void rt_stream_close(struct rt_stream *stream);  /* NULL is fine; not while rt_stream_run runs */

#ifdef __cplusplus
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif

#endif
