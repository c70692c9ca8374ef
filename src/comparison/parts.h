/*
 * parts.h - the parts of a run, its programs or the regions of its code, and for each the values of the quantities
 * (quantity.h).
 */
#ifndef RT_PARTS_H
#define RT_PARTS_H

#include "../history/digest.h"

enum parts_of { PARTS_PROGRAMS, PARTS_REGIONS };

struct part {
	char  *name;
	double count;                           /* processes that took the program's name, entries of the region with a
						   known time; NONE: unknown */
	struct quantity_values values;          /* of the whole run in base units, a region's duration being that of
						   all its entries together; NONE: unknown, or not measured for it */
};

struct parts { struct part *at; size_t n; };

/* Copies the parts of a run from d, which can be released then.  A run without such parts has n 0.  -ENOMEM. */
int  parts_read(struct parts *ret, enum parts_of what, const struct digest *d) must_use;
void parts_release(struct parts *p);
const struct part *parts_find(const struct parts *p, const char *name);         /* NULL: no part of that name */

#endif
