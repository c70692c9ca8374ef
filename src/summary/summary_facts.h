/* summary_facts.h - the input of a summary; all that its pointers lead to belongs to the caller. */
#ifndef RT_SUMMARY_FACTS_H
#define RT_SUMMARY_FACTS_H

#include "../core/aggregate.h"
#include "../core/regions.h"
#include "../core/run.h"
#include "../text/spark.h"
#include "run_cost.h"

struct summary {
	struct run run;
	struct run_status status;
	bool tracked;                           /* processes, even if the run does not name them */
	const struct aggregate *whole;
	struct spark cpu, memory, rss;          /* memory: PSS, or the machine's */
	char cpu_source[16];                    /* of the last sample; "": unknown */
	char gpu_source[16], gpu_visible_by[32];        /* process.gpu_source and the like, as last reported */
	const struct moment *moments;           /* the last minute of a run that failed */
	size_t n_moments;
	const char *record_path;                /* NULL: none */
	const char *next;                       /* a command to go on with; NULL: none is named */
	bool running;                           /* a record of a run that goes on */
	const char *const *notices;             /* what could not be read, and the reason */
	size_t n_notices;
	struct region_totals regions;
	const struct run_cost *cost;            /* NULL: unknown */
};

#endif
