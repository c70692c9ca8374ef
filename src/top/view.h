/* view.h - draws the whole view: what is known of a run, as the user wants to see it.  Pure. */
#ifndef RT_VIEW_H
#define RT_VIEW_H

#include "layout.h"
#include "looks.h"

struct processes_now {
	struct entry *entry;                    /* sorted by view_draw */
	size_t n;
	double every_seconds;                   /* how often they are read; NONE: once a second */
	const char *why;                        /* why there are none; NULL: they were read */
};

struct choices {
	enum entry_kind table;                  /* the one that keys move */
	enum order order[2];                    /* by enum entry_kind, like the next */
	bool reversed[2];
	size_t from[2];                         /* first row; view_draw limits it to the rows there are */
	bool tree;                              /* processes below the one that started them */
	bool paused, help;
	bool of_job;                            /* one rank of a job, to which a key returns */
};

/* Draws all of c; of a screen that is too small only that. */
void view_draw(struct cells *c, const struct model *m, struct processes_now *processes, struct choices *choices,
	       const struct looks *looks);

#endif
