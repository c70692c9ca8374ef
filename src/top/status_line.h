/* status_line.h - a run in one line: time, CPU and its course, memory, the open region.  Pure. */
#ifndef RT_STATUS_LINE_H
#define RT_STATUS_LINE_H

#include "looks.h"
#include "model.h"

/* Fills the first row of the cells.  seconds: since the start of the run. */
void status_line_draw(struct cells *c, const struct model *m, double seconds, const struct looks *looks);

#endif
