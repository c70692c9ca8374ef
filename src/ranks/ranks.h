/*
 * ranks.h - all ranks of a job: their records of a folder, found by their headers.
 *
 * Only the first and last lines of a record are read, so ten thousand of them take seconds.  Machines' clocks differ,
 * so nothing depends on their order but the numbers of runs without a job.
 */
#ifndef RT_RANKS_H
#define RT_RANKS_H

#include "rank.h"

/* One start of ranks: a step, an mpirun, or all tasks of an array. */
struct launch {
	struct job job;                         /* of its first rank */
	int64_t size;                           /* how many ranks it had; -1: not known */
	size_t present;                         /* with a record */
};

/* Ranks of a launch without a record, from `first` to `last`. */
struct gap { size_t launch; int64_t first, last; };

struct ranks {
	struct rank *at;                        /* those with ROLE_RANK first, by launch and number; then the others */
	size_t n, all;                          /* with ROLE_RANK; all */
	struct launch *launches;
	size_t n_launches;
	struct gap *gaps;
	size_t n_gaps, missing;                 /* missing: ranks in all gaps */
	bool numbered;                          /* by a scheduler or launcher; else by their start */
};

/*
 * folder: of the records.  -errno with a sentence: it cannot be read, or has no such run, or runs of several jobs
 * among those that `selection` takes.
 */
int  ranks_read(struct ranks *ret, const char *folder, const struct selection *selection, struct why *why) must_use;
void ranks_release(struct ranks *r);

/* The same of ranks that the caller has read from the folder; takes them over, also if it fails. */
int  ranks_arrange(struct ranks *ret, struct rank *at, size_t n, const char *folder, struct why *why) must_use;
bool ranks_record_name(const char *name);       /* whether a file of this name is a record */

/* "rank", "task" of an array, "run" where nothing numbers them. */
const char *ranks_kind(const struct ranks *ranks, size_t rank);

#endif
