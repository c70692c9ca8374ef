/* draw_missing.c - replaces draw.c if the build found no cairo. */
#include "plot.h"

int draw_plot(struct buffer *out, const struct plot *p, const struct picture *picture, struct why *why)
{
	(void)out;
	(void)p;
	(void)picture;
	return why_set(why, -ENOSYS, "this resource-tracker was built without cairo: install libcairo2-dev and build it again");
}
