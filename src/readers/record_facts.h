/* record_facts.h - facts of a run, and columns, from a run record. */
#ifndef RT_RECORD_FACTS_H
#define RT_RECORD_FACTS_H

#include "../core/cloud.h"
#include "../core/host.h"
#include "../core/metrics.h"
#include "../core/outline.h"
#include "../core/program_tree.h"
#include "../core/regions.h"
#include "../core/run.h"

enum record_item { RECORD_OVER, RECORD_ROW, RECORD_EXIT, RECORD_REGION, RECORD_LATER };

/*
 * Facts of the header are known from the beginning; those marked [end] are complete after the last item.  All pointers
 * belong to the reader.  Unknown texts are "", numbers NONE, counts 0.
 */
struct record_facts {
	int    version;
	char   tracker_version[32], id[160];
	char   command_recorded[8];             /* "masked", "full", "name"; "" without command */
	struct run run;                         /* start_monotonic_ns is 0: times count from the start of the run */
	struct host host;
	struct cloud cloud;                     /* [end] */

	bool   has_end;                         /* [end] there is an end line; else the run was cut off, or goes on */
	struct run_status status;               /* [end] RUN_RUNNING without an end line; then its end times are those
						   of the last row */
	uint64_t rows;                          /* [end] */
	uint64_t exits, exits_written;          /* [end] all, and those with a line of their own */
	struct region_totals regions;           /* [end] */
	bool   limit_reached;                   /* [end] rows were left out: the record had its full size */
	uint64_t lost_lines;                    /* [end] of a feed that was read too slowly */
	const struct outline *outline;          /* [end] from the end line, else made from the rows */
	const struct program_tree *programs;    /* [end] of no branch: the record has none */
	const struct moment *moments;           /* [end] the last minute of a run that failed, oldest first */
	size_t n_moments;
	const char *const *notices;             /* [end] sentences: measurements that failed, and why */
	size_t n_notices;
	const char *const *problems;            /* [end] sentences: parts of the record that could not be read */
	size_t n_problems;
};

/* One column of the totals in a row; unknown metrics have one, too. */
struct record_column {
	char name[96];                          /* "cpu.utilization_cores" */
	char unit[16];
	bool level;                             /* a row has its mean and maximum; else its sum */
	const struct metric *metric;            /* NULL: unknown to this version */
};

#endif
