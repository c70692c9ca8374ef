/* panels.h - the parts of the view that show one quantity over time, and the lines about waiting and regions.  Pure. */
#ifndef RT_PANELS_H
#define RT_PANELS_H

#include "view.h"

/* A heading with the value, its limit and its bounds, and the graph below. */
void panel_draw(struct cells *c, struct area a, const struct model *m, enum course course, const struct looks *looks);
/* Throttling and limits that were reached by name, then pressure. */
void warnings_draw(struct cells *c, struct area a, const struct model *m, const struct looks *looks);
/* Open regions with their time; without any, the last one; the last mark and value. */
void regions_draw(struct cells *c, struct area a, const struct model *m, const struct looks *looks);

#endif
