/* job_ranks.h - all ranks of a job that goes on, as rows and as sums. */
#ifndef RT_JOB_RANKS_H
#define RT_JOB_RANKS_H

#include "../ranks/job_use.h"
#include "job_files.h"
#include "model.h"

/* A rank as it is shown: plain data. */
struct job_row {
	size_t rank;                            /* index in ranks.at, whose path is the name of its file */
	enum standing standing;
	char   name[32], node[64], state[32];   /* "3"; of several starts "STEP.3" */
	double cores, bytes, limit_share, waiting, age_seconds;         /* NONE: unknown, or it does not run */
	char   region[REGION_PATH_SIZE + 2];    /* open now; "(LAST)": the last that ended, where open ones are not known */
};

/* How many of its ranks, and of the other files of the folder. */
struct job_counts { size_t run, ok, failed, lost, earlier, around, unreadable; };

struct job_ranks {                              /* zeroed at first */
	struct ranks ranks;                     /* of the files with a header, without their parts and regions */
	struct job_use use;
	struct job_row *row;                    /* ranks.n, for the caller to sort */
	struct job_counts counts;
	struct model sum;                       /* of the ranks that run, as of a single run */
	double waiting;                         /* threads, of the same; NONE: unknown */
	struct why why;                         /* the folder has ranks of several jobs by now; "": it has not */
};

/* Makes all of it from what was read of the files.  -ENOMEM. */
int  job_ranks_read(struct job_ranks *j, struct job_files *files) must_use;
void job_ranks_release(struct job_ranks *j);    /* leaves it zeroed */

#endif
