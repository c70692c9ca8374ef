/* job_view.h - draws all ranks of a job, as the user wants to see them.  Pure. */
#ifndef RT_JOB_VIEW_H
#define RT_JOB_VIEW_H

#include <limits.h>

#include "job_table.h"
#include "layout.h"
#include "looks.h"

struct job_choices {                            /* zeroed at first */
	enum job_order order;
	bool reversed;
	size_t from, marked;                    /* rows, as job_view_draw sets them */
	char   mark[NAME_MAX + 1];              /* the file of the rank that is marked; "": the first row is */
	char   number[16];                      /* a rank's, as it is typed; "": none */
	bool   paused, help;
};

/* Sorts the rows, keeps the marked one on the screen, and draws all of c; of a screen that is too small only that. */
void job_view_draw(struct cells *c, struct job_ranks *j, struct job_choices *choices, const struct looks *looks);

#endif
