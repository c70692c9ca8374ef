/*
 * program_uses.h - the programs of a run that matter, and the rest together: their CPU time adds up to the job's.
 */
#ifndef RT_PROGRAM_USES_H
#define RT_PROGRAM_USES_H

#include "../core/aggregate.h"

enum { PROGRAMS_MOST = 8 };

struct program_use {
	const char *name;
	double cpu_seconds;
	double started;                         /* its processes; NONE: unknown */
	double peak_bytes;                      /* of memory; NONE: unknown */
	const char *peak_of;                    /* "PSS peak", "RSS peak" in a sample, or "largest process" */
};

struct program_uses {
	struct program_use at[PROGRAMS_MOST];   /* most CPU time first; of equal ones the one with more processes */
	size_t n;
	struct program_use others;              /* its cpu_seconds is NONE: there are no others; it has no memory */
	size_t others_named;                    /* programs in it */
	bool others_more;                       /* and some that samples did not name */
	double short_lived_seconds;             /* of processes that no sample saw; NONE: within the readings' error */
};

/* Names point into the aggregate, or are static.  Without memory, and without programs, n is 0. */
void program_uses_read(struct program_uses *ret, const struct aggregate *whole);
/*
 * CPU seconds of the job that no program has; NONE: unknown.  At most what the samples left unaccounted: a program can
 * get some of it in a later sample, which the samples do not take back.
 */
double program_uses_unaccounted(const struct aggregate *whole);

#endif
