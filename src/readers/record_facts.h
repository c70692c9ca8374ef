/* record_facts.h - what a run record tells of its run, and of its columns. */
#ifndef RT_RECORD_FACTS_H
#define RT_RECORD_FACTS_H

#include "../core/host.h"
#include "../core/metrics.h"
#include "../core/outline.h"
#include "../core/regions.h"
#include "../core/run.h"

enum record_item { RECORD_OVER, RECORD_ROW, RECORD_EXIT, RECORD_REGION, RECORD_LATER };

/* The header is known from the beginning; what is marked [end] is complete when all has been read. */
struct record_facts {
	int    version;
	char   tracker_version[32], id[160];
	char   command_recorded[8];             /* "masked", "full", "name"; "" without command */
	struct run run;                         /* start_monotonic_ns is 0: instants count from the start */
	struct host host;

	bool   has_end;                         /* [end] without it the run was cut off, or goes on */
	struct run_status status;               /* [end] RUN_RUNNING without an end line; end_monotonic_ns then
						   is that of the last row */
	uint64_t rows;                          /* [end] */
	uint64_t exits, exits_written;          /* [end] all, and those with a line of their own */
	struct region_totals regions;           /* [end] */
	bool   limit_reached;                   /* [end] rows were left out: the record had its full size */
	uint64_t lost_lines;                    /* [end] of a feed that was read too slowly */
	const struct outline *outline;          /* [end] from the end line, else of the rows */
	const struct moment *moments;           /* [end] of a run that failed: its last minute, oldest first */
	size_t n_moments;
	const char *const *notices;             /* [end] what could not be measured and why, in sentences */
	size_t n_notices;
	const char *const *problems;            /* [end] what could not be read of the record */
	size_t n_problems;
};

/* One total of the rows.  Metrics that this version does not know have a column too. */
struct record_column {
	char name[96];                          /* "cpu.utilization_cores" */
	char unit[16];
	bool level;                             /* a row has its mean and maximum; else the sum */
	const struct metric *metric;            /* NULL: not known here */
};

#endif
