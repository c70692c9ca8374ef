/* recording_facts.h - what a recording of any kind tells of its run. */
#ifndef RT_RECORDING_FACTS_H
#define RT_RECORDING_FACTS_H

#include "record_facts.h"

struct region {                                 /* of code, by its name */
	char  *name;
	uint64_t count, unfinished;             /* entered and left; entered only */
	double seconds, minimum_seconds, maximum_seconds;       /* of those that were left */
};

struct recording_facts {
	const char *format;                     /* "run record", "JSON Lines", "CSV", ... */
	const char *id;                         /* "" but in a run record */
	bool   tracked;                         /* processes were tracked, not only the machine watched */
	struct run run;
	struct host host;
	bool   tells_end;                       /* a run record has an end, if it is not cut off */
	struct run_status status;               /* RUN_RUNNING: not known */
	bool   limit_reached;
	uint64_t exits;                         /* processes that ended, as far as that is told */
	const struct outline *outline;          /* of a run record; else NULL */
	const struct moment *moments;           /* the last minute of a run that failed */
	size_t n_moments;
	const char *const *notices;             /* what could not be measured or is not known here */
	size_t n_notices;
	const char *const *problems;            /* what could not be read */
	size_t n_problems;
	const struct region *regions;           /* complete when all has been read */
	size_t n_regions;
	struct region_totals region_totals;     /* of a run record, which has more of them */
};

#endif
