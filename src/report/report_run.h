/*
 * report_run.h - the data about one run for a report's page, collected in one pass over its recording.
 *
 * Memory is bounded for runs of any length: chart series have a limited number of points; of programs, processes and
 * regions those that used most are kept and the others counted.
 *
 * A line is the number of a line in `chart_series` (chart_series.h); NO_LINE: the quantity was never known.  `detail`
 * is that of the same line in `rows`, which has a point for each row of any but the longest runs.
 */
#ifndef RT_REPORT_RUN_H
#define RT_REPORT_RUN_H

#include "../core/json_write.h"
#include "../history/digest.h"
#include "chart_series.h"

enum {
	REPORT_PROGRAMS = 64, REPORT_PROGRAMS_SHOWN = 12,       /* followed; shown apart in the page */
	REPORT_PROCESSES = 200, REPORT_REGIONS = 2000, REPORT_MARKS = 200, REPORT_CORES = 128, REPORT_GPUS = 16,
	REPORT_ROWS = 1 << 17,                                  /* with a point of their own: a day and a half at 1 s */
};

/* Lines of charts: series.def. */
enum series {
#define SERIES(chart, owner, metric, lower, upper, kind, unit, style, when, label) SERIES_##chart##_##metric,
#include "series.def"
	SERIES_COUNT
};
enum owner { OWNER_JOB, OWNER_GROUP, OWNER_MACHINE, OWNER_TRACKER };
struct series_info {
	const char *chart, *unit, *style, *label;
	enum owner owner;
	bool rate;
	double over_seconds;                    /* the interval of its moving mean; 0: none */
	bool only_used;
	size_t metric, lower, upper;            /* offsets in struct totals; that of `key`: none */
};
extern const struct series_info report_series[SERIES_COUNT];

enum gpu_series {
#define GPU_SERIES(chart, metric, unit, scale, when, label) GPU_SERIES_##chart,
#include "series.def"
	GPU_SERIES_COUNT
};
struct gpu_series_info { const char *chart, *unit, *label; double scale; bool only_several; size_t metric; };
extern const struct gpu_series_info report_gpu_series[GPU_SERIES_COUNT];

struct series_lines { int value, lower, upper, detail; };
struct report_gpu { char key[KEY_SIZE], host_id[24]; struct series_lines lines[GPU_SERIES_COUNT]; };

/* The kind of memory shown for all programs of a run: PSS if it is known of any of them, else RSS. */
enum report_basis { REPORT_PSS, REPORT_RSS, REPORT_BASES };

struct report_program {
	char   name[KEY_SIZE];
	int    cpu, memory[REPORT_BASES];       /* lines: cores, bytes */
	double cpu_seconds, started, alive;     /* alive: most at a time; NONE: unknown */
	double peak_bytes[REPORT_BASES];
	bool   present;                         /* in the current row */
};

struct report_run {
	struct digest digest;
	struct chart_series *chart_series, *rows;
	struct series_lines lines[SERIES_COUNT];
	int    largest_process;                 /* line: process.peak_rss_bytes */

	struct report_gpu gpus[REPORT_GPUS];
	size_t n_gpus;

	struct report_program programs[REPORT_PROGRAMS + 1];    /* the last: others */
	size_t n_programs;
	enum report_basis program_memory;

	int    cores[REPORT_CORES];             /* lines: shares */
	size_t n_cores, cores_in_line;          /* cores of the machine; adjacent ones that share a line */

	struct tree_exit processes[REPORT_PROCESSES];           /* by CPU time */
	size_t n_processes, processes_seen;

	struct region_event *regions;           /* the longest, sorted by begin */
	size_t n_regions, regions_seen;
	struct region_event *marks;             /* the first, in their order */
	size_t n_marks, marks_seen;
	char   membership[16], membership_reason[120];          /* of the last row: how processes are found; "":
								   unknown */
	bool   failed;                          /* out of memory; report_run_read then returns -ENOMEM */
};

/*
 * path: "-" is stdin.  points: the most in a chart series.  -errno with a sentence, as digest_read; then *ret means
 * nothing, and there is nothing to release.
 */
int  report_run_read(struct report_run *ret, const char *path, size_t points, struct why *why) must_use;
void report_run_release(struct report_run *r);  /* once */

/* The run's name in file names: its id, else the file's name. */
void report_run_name(struct buffer *out, const struct report_run *r);
/* Writes one object of about so many bytes at most; rows are left out to fit, and all of them if it is 0. */
void report_run_json(struct json *j, const struct report_run *r, size_t bytes);
/* Write members of it, each in a file of its own: facts in words, methods of measurement, charts and lanes. */
void report_facts(struct json *j, const struct report_run *r);
void report_methods(struct json *j, const struct report_run *r);
void report_charts(struct json *j, const struct report_run *r);
void report_detail(struct json *j, const struct report_run *r, size_t bytes);
void report_events(struct json *j, const struct report_run *r);

#endif
