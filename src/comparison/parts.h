/* parts.h - the use of each part of a run, by the names of quantities: its programs, or the regions of its code. */
#ifndef RT_PARTS_H
#define RT_PARTS_H

#include "../history/digest.h"

enum parts_of { PARTS_PROGRAMS, PARTS_REGIONS };

struct part {
	char  *name;
	double count;                           /* processes that ran the program, entries of the region; NONE:
						   unknown */
	struct quantity_values values;          /* NONE: unknown, or not measured for such a part */
};

struct parts { struct part *at; size_t n; };

/* Reads the parts of a run.  -ENOMEM. */
int  parts_read(struct parts *ret, enum parts_of what, const struct digest *d) must_use;
void parts_release(struct parts *p);
const struct part *parts_find(const struct parts *p, const char *name);         /* NULL: no part of that name */

#endif
