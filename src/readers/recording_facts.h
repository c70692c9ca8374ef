/*
 * recording_facts.h - facts of a run, from a recording of any kind.  All pointers belong to the recording.  Unknown
 * texts are "", numbers NONE, counts 0.
 */
#ifndef RT_RECORDING_FACTS_H
#define RT_RECORDING_FACTS_H

#include "record_facts.h"

struct region {                                 /* a region of code */
	char  *name;
	uint64_t count, unfinished;             /* entries with an end; without one */
	double seconds, minimum_seconds, maximum_seconds;       /* of entries with an end */
};

struct recording_facts {
	const char *format;                     /* "run record", "JSON Lines", "CSV", ... */
	const char *id;                         /* of a run record; else "" */
	bool   tracked;                         /* processes were tracked, not only the machine watched */
	struct run run;
	struct host host;
	struct cloud cloud;
	bool   records_end;                       /* the format records the end of a run: a run record */
	struct run_status status;               /* RUN_RUNNING: unknown */
	bool   limit_reached;
	uint64_t exits;                         /* of processes; 0 if the format does not record them */
	const struct outline *outline;          /* of a run record; else NULL */
	const struct program_tree *programs;    /* likewise; it can have no branch */
	const struct moment *moments;           /* the last minute of a run that failed, oldest first */
	size_t n_moments;
	const char *const *notices;             /* sentences: values that are missing or inexact */
	size_t n_notices;
	const char *const *problems;            /* sentences: parts that could not be read */
	size_t n_problems;
	const struct region *regions;           /* of an event log; complete after the last item */
	size_t n_regions;
	struct region_totals region_totals;     /* of a run record */
};

#endif
