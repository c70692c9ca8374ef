/* panels.h - the parts of the view that show one quantity over time.  Pure. */
#ifndef RT_PANELS_H
#define RT_PANELS_H

#include "looks.h"
#include "model.h"

/* A heading with the value, its limit and its bounds, and the graph below; nothing in an area without rows. */
void panel_draw(struct cells *c, struct area a, const struct model *m, enum course course, const struct looks *looks);

#endif
