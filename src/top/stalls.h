/* stalls.h - the lines of the view about what the job waits for, and about its regions.  Pure. */
#ifndef RT_STALLS_H
#define RT_STALLS_H

#include "looks.h"
#include "model.h"

/* Throttling and limits that were reached by name, then pressure. */
void warnings_draw(struct cells *c, struct area a, const struct model *m, const struct looks *looks);
/* Open regions with their time; without any, the last one; the last mark and value. */
void regions_draw(struct cells *c, struct area a, const struct model *m, const struct looks *looks);

#endif
